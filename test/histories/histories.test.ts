import { testHistories } from './manyHistories';

testHistories("n8n's usual poll engine: nothing lost, nothing twice, nothing made up", 'default');
