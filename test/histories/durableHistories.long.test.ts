import { MANY, testHistories } from './manyHistories';

/** In a file of its own, so that it runs at the same time as the one of the other engine. */
testHistories("n8n's durable poll engine", 'durable', MANY);
