import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonParse } from 'n8n-workflow';

import { runWorkflow, type RunResult, type WorkflowJson } from '../engine/runner';
import { startReferenceService, type ReferenceService } from '../service';
import { aroundClaims, type OrderMoments } from './aroundClaims';
import { printClaims } from './claims';
import { emphasised, print, refused } from './display';
import { Observation } from './observation';
import { orderMoment } from './orderMoment';
import { credentialsFor, printSteps } from './showRecords';

const workflowPath = 'test/workflows/around.json';

/** Shows what can be done around a record: rows, comments, locks, buttons. Answers the exit code. */
export async function showAround(): Promise<number> {
	const service = await startReferenceService();
	try {
		const workflow = jsonParse<WorkflowJson>(
			readFileSync(join(__dirname, '../..', workflowPath), 'utf8'),
		);
		const observation = new Observation(service, workflow);
		const moments: OrderMoments = new Map([['', orderMoment(service)]]);
		const result = await runWorkflow(workflow, {
			credentialStore: credentialsFor(service),
			onNodeStart: () => observation.nodeStarts(),
			onNodeEnd: (name, task) => {
				observation.nodeEnds(name, task);
				moments.set(name, orderMoment(service));
			},
		});
		return report(observation, moments, result, service);
	} finally {
		await service.close();
	}
}

function report(
	observation: Observation,
	moments: OrderMoments,
	result: RunResult,
	service: ReferenceService,
): number {
	print();
	print(emphasised(`${workflowPath}, likewise`));
	print();
	printSteps(observation);
	print();
	if (result.error) {
		print(refused(`The workflow ended with status ${result.status}: ${result.error.message}`));
		return 1;
	}
	const failures = printClaims(aroundClaims(moments, result, service));
	print();
	if (failures === 0) return 0;
	print(refused(`${failures} of these statements do not hold.`));
	return 1;
}
