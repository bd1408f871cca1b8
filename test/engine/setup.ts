import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { Container } from '@n8n/di';

// n8n-core is loaded once for several test files, and begins again with each of them; then it reads these.
process.env.N8N_USER_FOLDER = fs.mkdtempSync(path.join(os.tmpdir(), 'n8n-engine-'));
process.env.N8N_ENCRYPTION_KEY = 'engine-test-encryption-key-000000';
process.env.N8N_LOG_LEVEL = 'silent';
process.env.N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS = 'false';
Container.reset();
