import { join } from 'node:path';

import type { N8nLine } from '../../realN8n/install/releases';
import { PROJECT_FOLDER } from '../../realN8n/machine/paths';

/** The n8n lines whose editor is walked through. The pictures of the documents are those of the first. */
export const LINES = ['2.41', '2.8'] as const satisfies N8nLine[];

/** The pictures of each step of the last run, a folder for each walk; git ignores them. */
export const PICTURES_FOLDER = join(PROJECT_FOLDER, '.cache', 'editor', 'pictures');

/** What Playwright has recorded of walks that failed. */
export const RESULTS_FOLDER = join(PROJECT_FOLDER, '.cache', 'editor', 'results');

/** Wide enough for all three columns of a node's window, in pixels. */
export const VIEWPORT = { width: 1280, height: 800 };

/** Under which n8n names the parts of its pages for tests. */
export const TEST_ID_ATTRIBUTE = 'data-test-id';

/** Everything on the screen comes within a second or two; on a busy machine it takes much longer. */
export const PATIENCE_MS = 60_000;

/** Whether pictures that the documents show are put there: `npm run e2e -- editor --keep-images` sets this for the tests. */
export const KEEP_IMAGES = process.env.KEEP_IMAGES !== undefined;
