import { EXAMPLES, examplePath } from './examplesPath';
import { fieldsPath } from './fieldsPath';
import { test } from './fixtures';
import { importPath } from './importPath';
import { junkPath } from './junkPath';
import { keptPath } from './keptPath';
import { messagePath } from './messagePath';
import { orderPath } from './orderPath';
import { quotePath } from './quotePath';
import { searchPath } from './searchPath';
import { waitPath } from './waitPath';
import { webhookPath } from './webhookPath';

test('import', async ({ stage }) => await importPath(stage));
test('search', async ({ stage }) => await searchPath(stage));
test('quote', async ({ stage }) => await quotePath(stage));
test('kept', async ({ stage }) => await keptPath(stage));
test('order', async ({ stage }) => await orderPath(stage));
test('junk', async ({ stage }) => await junkPath(stage));
test('wait', async ({ stage }) => await waitPath(stage));
test('webhook', async ({ stage }) => await webhookPath(stage));
test('message', async ({ stage }) => await messagePath(stage));
test('fields', async ({ stage }) => await fieldsPath(stage));
for (const name of EXAMPLES)
	test(`examples: ${name}`, async ({ stage }) => await examplePath(stage, name));
