// n8n-core reads these while it loads.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

process.env.N8N_USER_FOLDER = fs.mkdtempSync(path.join(os.tmpdir(), 'n8n-engine-'));
process.env.N8N_ENCRYPTION_KEY = 'engine-test-encryption-key-000000';
process.env.N8N_LOG_LEVEL = 'silent';
process.env.N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS = 'false';

import 'reflect-metadata';
