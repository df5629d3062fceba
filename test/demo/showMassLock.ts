import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonParse } from 'n8n-workflow';

import { runWorkflow, type RunResult, type WorkflowJson } from '../engine/runner';
import { orders, startReferenceService, type ReferenceService } from '../service';
import { claim, keyForms, printClaims, type Claim } from './claims';
import { emphasised, print, refused } from './display';
import { Observation } from './observation';
import { credentialsFor, printSteps } from './showRecords';

const workflowPath = 'test/workflows/massLock.json';

/** So slow that a person can watch it. */
const recordsPerSecond = 120;

/** Locks many orders with one operation and shows how far it is. Answers the exit code. */
export async function showMassLock(): Promise<number> {
	const service = await startReferenceService();
	service.tasks.speed = recordsPerSecond;
	try {
		const workflow = jsonParse<WorkflowJson>(
			readFileSync(join(__dirname, '../..', workflowPath), 'utf8'),
		);
		const observation = new Observation(service, workflow);
		const lockedBefore = lockedIds(service);
		const progress: string[] = [];
		print();
		print(emphasised(`${workflowPath}, with its progress as the editor shows it`));
		print();
		const result = await runWorkflow(workflow, {
			credentialStore: credentialsFor(service),
			onNodeStart: () => observation.nodeStarts(),
			onNodeEnd: (name, task) => observation.nodeEnds(name, task),
			onMessage: (_, data) => {
				const [message = ''] = /Task [^"\\]*/.exec(JSON.stringify(data)) ?? [];
				progress.push(message);
				print(`  ${message}`);
			},
		});
		print();
		printSteps(observation);
		print();
		return report(result, massLockClaims(service, result, lockedBefore, progress));
	} finally {
		await service.close();
	}
}

function report(result: RunResult, all: Claim[]): number {
	if (result.error) {
		print(refused(`The workflow ended with status ${result.status}: ${result.error.message}`));
		return 1;
	}
	const failures = printClaims(all);
	print();
	if (failures === 0) return 0;
	print(refused(`${failures} of these statements do not hold.`));
	return 1;
}

function massLockClaims(
	service: ReferenceService,
	result: RunResult,
	lockedBefore: number[],
	progress: string[],
): Claim[] {
	const listed = result.outputs('List 500 Orders').map(({ json }) => Number(json._recordId));
	const [locked, ...others] = result.outputs('Lock All of Them');
	const requests = service.requests.all();
	const writes = requests.filter(({ method }) => method === 'POST');
	const expected = new Set([...lockedBefore, ...listed]);
	return [
		claim(
			'One request locked the 500 orders of the input items, in an address of fewer than 7,500 characters',
			['listed', new Set(listed).size, 500],
			['requests', writes.length, 1],
			['short', writes.every(({ rawUrl }) => rawUrl.length + service.baseUrl.length < 7500), true],
		),
		claim('They are locked at the service, and no other order is that was not before', [
			'locked',
			lockedIds(service),
			[...expected].sort((left, right) => left - right),
		]),
		claim(
			'The progress was shown while it grew, and the end is told in a hint',
			['grew', progress.some((text) => /: RUNNING, [1-9]\d* of 500 records/.test(text)), true],
			['ended', progress.at(-1)?.endsWith('COMPLETED, 500 of 500 records'), true],
			['hint', result.hints.map(({ message }) => message), ['The task ended: 500 of 500 records']],
		),
		claim(
			'The node gave one clear result, linked to all 500 items',
			['status', [locked?.json.status, locked?.json.succeeded], ['COMPLETED', true]],
			['links', [locked?.pairedItem].flat().length, 500],
			['others', others.length, 0],
		),
		claim(
			`All ${requests.length} requests were answered with 200, one at a time`,
			['others', requests.filter(({ status }) => status !== 200).map(({ rawUrl }) => rawUrl), []],
			['most at once', Math.max(...requests.map((request) => request.inFlightAtStart)) + 1, 1],
		),
		claim('Nothing that n8n stored, showed or logged holds the API key', [
			'found',
			keyForms(service).some((form) => result.recorded.includes(form)),
			false,
		]),
	];
}

function lockedIds({ data }: ReferenceService): number[] {
	return [...data.sheet(orders).records.values()]
		.filter(({ locked }) => locked)
		.map(({ id }) => id)
		.sort((left, right) => left - right);
}
