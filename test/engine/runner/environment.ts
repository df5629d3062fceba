import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// n8n-core reads its settings once, while it is being required. This file is therefore imported
// first, by `core.ts`, and by nothing else.

// The launcher (test/run.ts) makes one folder for all jest workers and removes it: a worker has half a
// second to end.
const { SHEET_RECORDS_TEST_FOLDER: sharedFolder } = process.env;
const folder = mkdtempSync(join(sharedFolder ?? tmpdir(), 'n8n-engine-'));
if (!sharedFolder) process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Folder of n8n's data. Every process has its own, so that tests never use the n8n of the developer. */
process.env.N8N_USER_FOLDER = folder;
process.env.N8N_ENCRYPTION_KEY = 'engine-runner';
process.env.N8N_DIAGNOSTICS_ENABLED = 'false';

// Everything is logged, and to nowhere but our own record of it: see `printed.ts`.
process.env.N8N_LOG_LEVEL = 'debug';
process.env.N8N_LOG_OUTPUT = '';

delete process.env.N8N_DEFAULT_BINARY_DATA_MODE;
delete process.env.N8N_BINARY_DATA_STORAGE_PATH;
delete process.env.N8N_STORAGE_PATH;

// A developer's proxy cannot reach a service on this machine. (The lower-case name comes first.)
const direct = process.env.no_proxy ?? process.env.NO_PROXY ?? '';
process.env.no_proxy = [direct, 'localhost', '.localhost', '127.0.0.1'].filter(Boolean).join(',');
