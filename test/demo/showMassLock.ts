import type { RunResult } from '../engine/runner';
import { orders, type ReferenceService } from '../service';
import { claim, type Claim } from './claim';
import { print } from './display';
import { show } from './observedRun';

/** So few that a person can watch how it goes on, whatever the machine. */
const recordsPerLook = 200;

/** Locks many orders with one operation and shows how far it is. Answers the exit code. */
export async function showMassLock(): Promise<number> {
	return await show('test/workflows/massLock.json', (service) => {
		service.tasks.recordsPerLook = recordsPerLook;
		const lockedBefore = lockedIds(service);
		const progress: string[] = [];
		return {
			title: 'with its progress as the editor shows it',
			onMessage: (_, data) => {
				const [message = ''] = /Task [^"\\]*/.exec(JSON.stringify(data)) ?? [];
				progress.push(message);
				print(`  ${message}`);
			},
			claims: ({ result }) => massLockClaims(service, result, lockedBefore, progress),
		};
	});
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
	];
}

function lockedIds({ data }: ReferenceService): number[] {
	return [...data.sheet(orders).records.values()]
		.filter(({ locked }) => locked)
		.map(({ id }) => id)
		.sort((left, right) => left - right);
}
