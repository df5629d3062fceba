import type { WorkflowJson } from '../engine/runner/storedWorkflow';
import type { SeenRequest } from '../service';

/** n8n refuses an expression that polls more often than once a minute, and takes many that poll once. */
export const everyThreeSeconds = {
	item: Array.from({ length: 20 }, (_, third) => ({
		mode: 'custom',
		cronExpression: `${third * 3} * * * * *`,
	})),
};

/** The workflow with polls every three seconds, each of which looks for deleted records, too. */
export function pollingFrequently(json: WorkflowJson): WorkflowJson {
	const nodes = json.nodes.map((node) => {
		const { parameters } = node;
		if (!('pollTimes' in parameters)) return node;
		const options = { ...Object(parameters.options), deletionCheckEvery: 1 };
		return { ...node, parameters: { ...parameters, pollTimes: everyThreeSeconds, options } };
	});
	return { ...json, nodes };
}

/** Whether a request asks what has changed. */
export function isPoll({ query }: SeenRequest): boolean {
	return query.some(([name, value]) => name === 'order' && value.startsWith('109'));
}

/** Whether a request asks for all ids, to tell which are gone. */
export function isDeletionCheck({ query }: SeenRequest): boolean {
	return query.some(([name]) => name === 'listing');
}
