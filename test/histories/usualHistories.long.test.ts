import { MANY, testHistories } from './manyHistories';

testHistories("n8n's usual poll engine", 'default', MANY);
