import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// n8n-core reads its settings once, when it is loaded, so `core.ts` imports this file first. Do not import it elsewhere.

// The launcher (test/run.ts) creates one folder for all Jest workers and removes it, because a worker has only 500 ms to exit.
const { SHEET_RECORDS_TEST_FOLDER: sharedFolder } = process.env;
const folder = mkdtempSync(join(sharedFolder ?? tmpdir(), 'n8n-engine-'));
if (!sharedFolder) process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Data folder of n8n. Each process has its own folder, so that tests never use the developer's n8n. */
process.env.N8N_USER_FOLDER = folder;
process.env.N8N_ENCRYPTION_KEY = 'engine-runner';
process.env.N8N_DIAGNOSTICS_ENABLED = 'false';

// All messages are logged, but only to the recorder (see `recorder.ts`).
process.env.N8N_LOG_LEVEL = 'debug';
process.env.N8N_LOG_OUTPUT = '';

delete process.env.N8N_DEFAULT_BINARY_DATA_MODE;
delete process.env.N8N_BINARY_DATA_STORAGE_PATH;
delete process.env.N8N_STORAGE_PATH;

// A developer's proxy cannot reach a service on this machine. The lower-case variable takes precedence.
const direct = process.env.no_proxy ?? process.env.NO_PROXY ?? '';
process.env.no_proxy = [direct, 'localhost', '.localhost', '127.0.0.1'].filter(Boolean).join(',');
