import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonParse } from 'n8n-workflow';

import type { WorkflowJson } from '../engine/runner/storedWorkflow';

/** One of the example workflows of this checkout, as a user imports it. */
export function example(name: string): WorkflowJson {
	return jsonParse<WorkflowJson>(
		readFileSync(join(__dirname, '../workflows', `${name}.json`), 'utf8'),
	);
}
