import { testHistories } from './manyHistories';

/** In a file of its own, so that it runs beside the one of the other engine. */
testHistories("n8n's durable poll engine: nothing lost, nothing twice, nothing made up", 'durable');
