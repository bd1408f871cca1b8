import { resolve } from 'node:path';

/** The project's folder. Whatever a real n8n or its checks write lies below it, where git ignores it. */
export const PROJECT_FOLDER = resolve(__dirname, '..', '..');

/** What `npm start` keeps between two starts: n8n's database, the owner, the workflows. */
export const DATA_FOLDER = resolve(PROJECT_FOLDER, '.data');

/** What can be made again at any time: the packed package, the folders of end-to-end runs. */
export const CACHE_FOLDER = resolve(PROJECT_FOLDER, '.cache', 'e2e');

/** One folder with a lockfile for each n8n, which is installed there when it is first used. */
export const RELEASES_FOLDER = resolve(PROJECT_FOLDER, 'e2e');

export const PACKAGE_NAME = 'n8n-nodes-cross-chain-bridge';
