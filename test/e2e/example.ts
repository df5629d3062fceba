import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonParse } from 'n8n-workflow';

import type { WorkflowJson } from '../engine/runner/storedWorkflow';

const folder = join(__dirname, '../workflows');

/** The names of the example workflows of this checkout; those of whole jobs begin with `jobs/`. */
export function exampleNames(): string[] {
	return readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((path) => path.endsWith('.json'))
		.map((path) => path.slice(0, -'.json'.length))
		.sort();
}

export function example(name: string): WorkflowJson {
	return jsonParse<WorkflowJson>(readFileSync(join(folder, `${name}.json`), 'utf8'));
}
