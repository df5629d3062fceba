import { orders, type Fault, type SeenRequest } from '../../service';
import { numbers } from '../recordTestbed';
import type { Poller } from '../runner';
import { emittedChanges, usePollingTestbed } from './pollingTestbed';

const polling = usePollingTestbed();
const { fields } = orders;
const events = ['CREATE', 'UPDATE', 'DELETE'];
const asksForIds = ({ query }: SeenRequest) => query.some(([name]) => name === 'listing');
const readsRecord5 = ({ path }: SeenRequest) => path.endsWith('/5');
const lateWords = 'the check for them failed';

const answers: Array<{ answer: string; fault: Fault }> = [
	{ answer: 'status 500', fault: { kind: 'status', status: 500 } },
	{ answer: 'status 401', fault: { kind: 'status', status: 401 } },
	{
		answer: 'code 202',
		fault: { kind: 'body', body: '{"status":"ERROR","code":202,"msg":"Error executing"}' },
	},
	{ answer: 'a web page', fault: { kind: 'body', body: '<html><body>Maintenance</body></html>' } },
	{ answer: 'an empty body', fault: { kind: 'body', body: '' } },
	{ answer: 'something else than records', fault: { kind: 'body', body: '[]' } },
	{ answer: 'a broken connection', fault: { kind: 'reset' } },
];

function happen(): void {
	polling.passMinutes(1);
	polling.people.edit(orders, 7, { [fields.remark]: `changed ${polling.requests.length}` });
}

it.each(answers)(
	'a list of IDs with $answer does not stop changes, is not repeated at each poll, and the deletion comes later',
	async ({ fault }) => {
		const poller = await polling.begun({ events, options: { deletionCheckEvery: 3 } });
		polling.people.delete(orders, 5);
		polling.service.faults.inject({ ...fault, when: asksForIds, times: Infinity });
		const emitted: string[][] = [];
		const checks: boolean[] = [];
		const warnings: unknown[] = [];
		for (let polls = 0; polls < 6; polls++) {
			happen();
			polling.service.requests.forget();
			const items = await poller.poll();
			emitted.push(emittedChanges(items));
			checks.push(polling.requests.some(asksForIds));
			warnings.push(items[0]?._warning ?? '');
		}
		expect(emitted).toEqual(Array(6).fill(['UPDATE 7']));
		expect(checks).toEqual([false, false, true, false, false, true]);
		expect(warnings[2]).toContain(lateWords);
		polling.service.faults.clear();
		for (let polls = 0; polls < 2; polls++) expect(await poller.poll()).toEqual([]);
		expect(emittedChanges(await poller.poll())).toEqual(['DELETE 5']);
	},
);

it.each(answers)(
	'a single read with $answer does not stop changes and other deletions, and its deletion comes later',
	async ({ fault }) => {
		const poller = await polling.begun({ events, options: { deletionCheckEvery: 2 } });
		happen();
		await poller.poll();
		polling.people.delete(orders, 5);
		polling.people.delete(orders, 6);
		polling.service.faults.inject({ ...fault, when: readsRecord5, times: Infinity });
		happen();
		const items = await poller.poll();
		expect(emittedChanges(items)).toEqual(['UPDATE 7', 'DELETE 6']);
		expect(items[0]?._warning).toContain(lateWords);
		polling.service.requests.forget();
		expect(await poller.poll()).toEqual([]);
		expect(polling.requests.filter(asksForIds)).toEqual([]);
		polling.service.faults.clear();
		expect(emittedChanges(await poller.poll())).toEqual(['DELETE 5']);
		expect(await poller.poll()).toEqual([]);
	},
);

it.each(answers)(
	'a single read with $answer for longer than a quarter of an hour does not lose its deletion',
	async ({ fault }) => {
		const poller = await polling.begun({ events, options: { deletionCheckEvery: 1 } });
		polling.people.delete(orders, 5);
		polling.service.faults.inject({ ...fault, when: readsRecord5, times: Infinity });
		for (let polls = 0; polls < 4; polls++) {
			polling.passMinutes(8);
			expect(await poller.poll()).toEqual([]);
		}
		expect(poller.printed.join()).toContain('The check is repeated at the next poll');
		polling.service.faults.clear();
		expect(emittedChanges(await poller.poll())).toEqual(['DELETE 5']);
	},
);

it('the warning about a failed check goes with the next check', async () => {
	const poller = await polling.begun({ events, options: { deletionCheckEvery: 2 } });
	polling.service.faults.inject({ kind: 'reset', when: asksForIds, times: Infinity });
	for (let polls = 0; polls < 2; polls++) expect(await poller.poll()).toEqual([]);
	expect(poller.printed.join()).toContain(lateWords);
	polling.service.faults.clear();
	for (let polls = 0; polls < 2; polls++) expect(await poller.poll()).toEqual([]);
	happen();
	expect((await poller.poll()).map(({ _warning }) => _warning)).toEqual([undefined]);
});

it('after a failed check, a check that leaves a deletion open is repeated by the next poll', async () => {
	const options = { deletionCheckEvery: 2 };
	const poller = await polling.begun({ events, options });
	polling.service.faults.inject({ kind: 'status', when: asksForIds, times: Infinity });
	for (let polls = 0; polls < 2; polls++) await poller.poll();
	polling.service.faults.clear();
	// An empty list proves nothing, so the deletions are left open.
	polling.service.faults.inject({ kind: 'body', body: '{}', when: asksForIds });
	polling.people.delete(orders, 5);
	for (let polls = 0; polls < 2; polls++) expect(await poller.poll()).toEqual([]);
	expect(emittedChanges(await poller.poll())).toEqual(['DELETE 5']);
});

it.each([500, 401])(
	'a list of IDs with status %d does not stop the start of a node with other events',
	async (status) => {
		polling.service.faults.inject({ kind: 'status', status, when: asksForIds, times: Infinity });
		const poller = await polling.begun({ events, options: { deletionCheckEvery: 2 } });
		expect(poller.printed.join('\n')).toContain(lateWords);
		polling.service.faults.clear();
		happen();
		expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 7']);
		expect(await poller.poll()).toEqual([]);
		polling.people.delete(orders, 5);
		for (let polls = 0; polls < 1; polls++) expect(await poller.poll()).toEqual([]);
		expect(emittedChanges(await poller.poll())).toEqual(['DELETE 5']);
	},
);

it('after a failed check, a new process waits as long as after a successful one', async () => {
	const poller = await polling.begun({ events, options: { deletionCheckEvery: 3 } });
	polling.service.faults.inject({ kind: 'status', when: asksForIds, times: Infinity });
	polling.people.delete(orders, 5);
	for (let polls = 0; polls < 3; polls++) {
		happen();
		await poller.poll();
	}
	expect(poller.printed.join()).toContain(lateWords);
	polling.service.faults.clear();
	for (const deletions of [[], [], ['DELETE 5']]) {
		poller.startProcess();
		polling.passMinutes(1);
		expect(emittedChanges(await poller.poll())).toEqual(deletions);
	}
});

it('a key that is refused for every request fails the poll', async () => {
	const poller = await polling.begun({ events, options: { deletionCheckEvery: 1 } });
	happen();
	polling.service.faults.inject({ kind: 'status', status: 401, times: Infinity });
	await expect(poller.poll()).rejects.toThrow();
	polling.service.faults.clear();
	expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 7']);
});

it('a failing check fails the poll of a node for deletions only, once in the set number of polls', async () => {
	const poller = await polling.begun({ events: ['DELETE'], options: { deletionCheckEvery: 2 } });
	polling.people.delete(orders, 5);
	polling.service.faults.inject({ kind: 'status', when: asksForIds, times: Infinity });
	expect(await poller.poll()).toEqual([]);
	await expect(poller.poll()).rejects.toThrow();
	expect(await poller.poll()).toEqual([]);
	polling.service.faults.clear();
	expect(emittedChanges(await poller.poll())).toEqual(['DELETE 5']);
});

it.each([
	{ what: 'a list of IDs', isStruck: asksForIds, share: 1 },
	{ what: 'a single read', isStruck: readsRecord5, share: 1 },
	{ what: 'a list of IDs', isStruck: asksForIds, share: 1 / 2 },
	{ what: 'a single read', isStruck: readsRecord5, share: 1 / 2 },
])(
	'$what that is never answered does not stop changes in a new process, and the deletion comes later (share of the time: $share)',
	async ({ isStruck, share }) => {
		const options = { deletionCheckEvery: 1, typedValues: true };
		const poller = await polling.begun({ events, options });
		polling.people.delete(orders, 5);
		happen();
		const { id } = polling.people.create(orders, {});
		poller.startProcess();
		polling.passMinutes(2);
		polling.endPollsAt(poller, isStruck, {}, share);
		const items = await poller.poll();
		expect(emittedChanges(items)).toEqual(['UPDATE 7', `CREATE ${id}`]);
		const limit = share === 1 ? /86400 seconds that n8n/ : /43200 seconds that a check/;
		expect(items[0]?._warning).toMatch(limit);
		polling.endPollsNoMore(poller);
		expect(emittedChanges(await poller.poll())).toEqual(['DELETE 5']);
		expect(await poller.poll()).toEqual([]);
	},
);

describe('with single reads that fail', () => {
	const options = { deletionCheckEvery: 1 };
	const asksForOne = ({ path }: SeenRequest) => /\/1\/\d+$/.test(path);

	async function emittedInPolls(poller: Poller, polls: number): Promise<string[]> {
		const emitted: string[] = [];
		for (let count = 0; count < polls; count++) {
			polling.passMinutes(6);
			emitted.push(...emittedChanges(await poller.poll()));
		}
		return emitted.sort();
	}

	it.each([5, 12, 25])(
		'a list that lacks %d existing records tells no deletion, however often it comes',
		async (count) => {
			const poller = await polling.begun({ events, options });
			const listed = numbers(30 - count, count + 1).map((id) => [id, { _ragicId: id }]);
			const body = JSON.stringify(Object.fromEntries(listed));
			polling.service.faults.inject({ kind: 'body', body, when: asksForIds, times: Infinity });
			polling.service.faults.inject({ kind: 'status', when: asksForOne, times: Infinity });
			expect(await emittedInPolls(poller, 6)).toEqual([]);
			polling.service.faults.clear();
			expect(await emittedInPolls(poller, 3)).toEqual([]);
		},
	);

	it.each([5, 12])(
		'of %d deleted records, two whose reads always fail do not stop the deletions of the others',
		async (count) => {
			const poller = await polling.begun({ events, options });
			for (const id of numbers(count)) polling.people.delete(orders, id);
			const when = ({ path }: SeenRequest) => /\/1\/[12]$/.test(path);
			polling.service.faults.inject({ kind: 'status', when, times: Infinity });
			const readable = numbers(count - 2, 3).map((id) => `DELETE ${id}`);
			expect(await emittedInPolls(poller, 6)).toEqual(readable.sort());
			polling.service.faults.clear();
			expect(await emittedInPolls(poller, 3)).toEqual(['DELETE 1', 'DELETE 2']);
		},
	);
});
