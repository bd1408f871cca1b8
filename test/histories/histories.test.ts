import { testHistories } from './manyHistories';

const FEW = 25;

testHistories("n8n's usual poll engine", 'default', FEW);
testHistories("n8n's durable poll engine", 'durable', FEW);
