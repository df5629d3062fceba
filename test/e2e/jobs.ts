import { orders } from '../service';
import type { WorkflowJson } from '../engine/runner/storedWorkflow';
import type { Execution, SavedCredential } from './editor';
import { useSharedN8n } from './n8nTestbed';

/** Uses the shared n8n with an administrator's credential, and resets the demo data of the service before each test. */
export function useJobs() {
	const testbed = useSharedN8n();
	let key: SavedCredential;
	beforeAll(async () => {
		key = await testbed.apiKey('admin');
	});
	beforeEach(() => testbed.service.reset());

	/** Runs a workflow from its trigger. */
	const run = async (json: WorkflowJson): Promise<Execution> => {
		const trigger = json.nodes.find(({ type }) => /trigger$/i.test(type));
		return await testbed.runFrom(trigger?.name ?? 'no trigger', json, key);
	};
	return {
		testbed,
		run,
		runWell: async (json: WorkflowJson): Promise<Execution> => {
			const execution = await run(json);
			expect([execution.status, execution.error]).toEqual(['success', undefined]);
			return execution;
		},
		credential: () => key,
		order: (id: number) => testbed.service.data.record(orders, id),
		writes: () => testbed.service.requests.all().filter(({ method }) => method === 'POST'),
	};
}
