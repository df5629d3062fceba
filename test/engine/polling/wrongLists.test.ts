import { orders, type SeenRequest } from '../../service';
import type { Poller } from '../runner';
import { emittedChanges, usePollingTestbed } from './pollingTestbed';

const polling = usePollingTestbed();
const { fields } = orders;

const isListOfChanges = ({ query }: SeenRequest) =>
	query.some(([name, value]) => name === 'order' && value === '109,ASC');
const isList = ({ path, query }: SeenRequest) =>
	query.some(([name]) => name === 'limit') && !path.includes('metadata');

const remark = (text: string) => ({ [fields.remark]: text });

/** Returns this body to all matching requests until the faults are cleared. */
function answerWith(body: string, when: (request: SeenRequest) => boolean = () => true): void {
	polling.service.faults.inject({ kind: 'body', body, when, times: Infinity });
}

/** Returns a list of another sheet with recent changes. Record 7 is on both sheets. */
function listOfAnotherSheet(changed = '2026/01/31 09:40:00'): string {
	const dates = { _create_date: '2025/12/01 10:00:01', _update_date: changed };
	const record = (id: number) => ({ _svcId: id, Subject: `Ticket ${id}`, ...dates });
	return JSON.stringify({ 7: record(7), 901: record(901), 902: record(902) });
}

describe('a list without a known record', () => {
	/** Begins a node, and waits until it reads no list with a known record any more. Returns the changes of two records. */
	async function afterQuietTime(): Promise<Poller> {
		const poller = await polling.begun();
		polling.passMinutes(10);
		expect(await poller.poll()).toEqual([]);
		polling.passMinutes(10);
		for (const id of [5, 7]) polling.people.edit(orders, id, remark('changed'));
		polling.service.requests.forget();
		return poller;
	}

	function failReads(...ids: number[]): void {
		const when = ({ path }: SeenRequest) => ids.some((id) => path.endsWith(`/1/${id}`));
		polling.service.faults.inject({ kind: 'status', status: 500, when, times: Infinity });
	}

	it.each([5, 7])(
		'one record that cannot be read alone (%d) does not stop the changes',
		async (id) => {
			const poller = await afterQuietTime();
			failReads(id);
			expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 5', 'UPDATE 7']);
		},
	);

	it('if none of its records can be read alone, the poll fails, and the next one emits the changes', async () => {
		const poller = await afterQuietTime();
		failReads(5, 7);
		await expect(poller.poll()).rejects.toThrow('500');
		polling.service.faults.clear();
		expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 5', 'UPDATE 7']);
	});
});

async function pollsUntilQuiet(poller: Poller): Promise<string[]> {
	const emitted: string[] = [];
	for (let quiet = 0; quiet < 3; polling.passMinutes(1)) {
		const items = emittedChanges(await poller.poll());
		quiet = items.length === 0 ? quiet + 1 : 0;
		emitted.push(...items);
	}
	return emitted;
}

function addRecords(count: number): void {
	const sheet = polling.service.data.sheet(orders);
	for (let added = 0; added < count; added++) {
		sheet.add({ at: Date.UTC(2026, 0, 30) + added * 1_000, user: 'anybody' });
	}
}

describe('an empty list', () => {
	it.each(['{}', '{"_metaData":{}}'])(
		'an empty list %s at the first poll of Start From All loses no record',
		async (body) => {
			addRecords(1_470);
			const poller = await polling.begun({ startFrom: 'all', options: { subtables: false } });
			answerWith(body, isListOfChanges);
			polling.passMinutes(1);
			expect(await poller.poll()).toEqual([]);
			expect(poller.printed.join('\n')).toContain('an empty list');
			polling.service.faults.clear();
			const emitted = await pollsUntilQuiet(poller);
			expect([emitted.length, new Set(emitted).size]).toEqual([1_500, 1_500]);
		},
	);

	it.each([1, 2])(
		'an empty list for two polls, after %d portions of 2,400 changes, loses no change',
		async (portions) => {
			addRecords(2_370);
			const poller = await polling.begun({ options: { subtables: false } });
			polling.passMinutes(1);
			const ids = [...polling.service.data.sheet(orders).records.keys()];
			polling.people.massChange(orders, ids, ({ id }) => remark(`changed ${id}`));
			const emitted: string[] = [];
			for (let polls = 0; polls < portions; polls++)
				emitted.push(...emittedChanges(await poller.poll()));
			answerWith('{}');
			for (let polls = 0; polls < 2; polls++) {
				polling.passMinutes(5);
				expect(await poller.poll()).toEqual([]);
			}
			expect(poller.printed.join('\n')).toContain('an empty list');
			polling.service.faults.clear();
			emitted.push(...(await pollsUntilQuiet(poller)));
			expect([emitted.length, new Set(emitted).size]).toEqual([2_400, 2_400]);
		},
	);

	it('after an empty list at the first poll no record is created, and the next item says that the node started later', async () => {
		answerWith('{}');
		const poller = await polling.activate();
		expect(await poller.poll()).toEqual([]);
		polling.service.faults.clear();
		polling.passMinutes(1);
		expect(await poller.poll()).toEqual([]);
		polling.passMinutes(1);
		polling.people.edit(orders, 5, remark('changed'));
		const { id } = polling.people.create(orders, remark('new'));
		const items = await poller.poll();
		expect(emittedChanges(items)).toEqual(['UPDATE 5', `CREATE ${id}`]);
		expect(items[0]?._warning).toContain('no record');
	});

	it.each([{ startFrom: 'all' }, { startFrom: 'date', startDate: '2020-01-01' }])(
		'an empty list at the start with %j loses no record',
		async (start) => {
			answerWith('{}');
			const poller = await polling.activate(start);
			expect(await poller.poll()).toEqual([]);
			polling.service.faults.clear();
			polling.passMinutes(1);
			const emitted = await pollsUntilQuiet(poller);
			expect([emitted.length, new Set(emitted).size]).toEqual([30, 30]);
		},
	);

	it('an empty list of the times in another time zone loses none of 600 changes', async () => {
		addRecords(570);
		const poller = await polling.begun({ options: { timeZone: 8, subtables: false } });
		polling.passMinutes(1);
		const ids = [...polling.service.data.sheet(orders).records.keys()];
		polling.people.massChange(orders, ids, ({ id }) => remark(`changed ${id}`));
		answerWith('{}', ({ query }) => query.some(([name]) => name === 'tz'));
		for (let polls = 0; polls < 3; polls++, polling.passMinutes(20)) {
			expect(await poller.poll()).toEqual([]);
		}
		polling.service.faults.clear();
		const emitted = await pollsUntilQuiet(poller);
		expect([emitted.length, new Set(emitted).size]).toEqual([600, 600]);
	});
});

describe('a list of another sheet', () => {
	it.each([1, 20])(
		'a list of another sheet in place of the changes is not emitted but reported, %d minutes after the start',
		async (minutes) => {
			const poller = await polling.begun();
			polling.passMinutes(minutes);
			polling.people.edit(orders, 5, remark('changed'));
			answerWith(listOfAnotherSheet(), isListOfChanges);
			expect(await poller.poll()).toEqual([]);
			expect(poller.printed.join('\n')).toContain('records that are not on this sheet');
			polling.service.faults.clear();
			const items = await poller.poll();
			expect(emittedChanges(items)).toEqual(['UPDATE 5']);
			expect(items[0]?._warning).toContain('records that are not on this sheet');
			expect(await pollsUntilQuiet(poller)).toEqual([]);
		},
	);

	it('lists of another sheet in place of all lists emit nothing, and changes in the meantime are emitted once', async () => {
		const poller = await polling.begun();
		answerWith(listOfAnotherSheet(), isList);
		for (let polls = 0; polls < 3; polls++) {
			polling.passMinutes(8);
			polling.people.edit(orders, 5 + polls, remark('changed'));
			expect(await poller.poll()).toEqual([]);
		}
		polling.service.faults.clear();
		expect(await pollsUntilQuiet(poller)).toEqual(['UPDATE 5', 'UPDATE 6', 'UPDATE 7']);
	});

	it('a list of another sheet at more than five polls in a row fails the next polls, and loses nothing', async () => {
		const poller = await polling.begun();
		polling.passMinutes(20);
		polling.people.edit(orders, 5, remark('changed'));
		answerWith(listOfAnotherSheet(), isListOfChanges);
		for (let polls = 0; polls < 5; polls++) expect(await poller.poll()).toEqual([]);
		await expect(poller.poll()).rejects.toMatchObject({
			message: expect.stringContaining('not on this sheet'),
			description: expect.stringContaining('No change is lost'),
		});
		polling.service.faults.clear();
		expect(await pollsUntilQuiet(poller)).toEqual(['UPDATE 5']);
	});

	it('lists of another sheet at more than five polls that are not in a row only warn', async () => {
		const poller = await polling.begun();
		for (let times = 0; times < 3; times++) {
			answerWith(listOfAnotherSheet(), isListOfChanges);
			for (let polls = 0; polls < 3; polls++) expect(await poller.poll()).toEqual([]);
			polling.service.faults.clear();
			polling.passMinutes(1);
			polling.people.edit(orders, 5, remark(`changed ${times}`));
			const items = await poller.poll();
			expect(emittedChanges(items)).toEqual(['UPDATE 5']);
			expect(items[0]?._warning).toContain('records that are not on this sheet');
		}
	});

	it('a list of another sheet in place of the most recently changed records emits no record as updated', async () => {
		addRecords(600);
		const poller = await polling.begun({ options: { subtables: false } });
		// The records of this sheet with these IDs were changed one minute later.
		const dates = { _create_date: '2025/12/01 10:00:01', _update_date: '2026/01/30 00:05:00' };
		const ids = Array.from({ length: 20 }, (_, index) => 400 + index);
		const records = ids.map((id) => [id, { _svcId: id, Subject: `Ticket ${id}`, ...dates }]);
		answerWith(JSON.stringify(Object.fromEntries(records)), ({ query }) =>
			query.some(([name, value]) => name === 'order' && value === '109,DESC'),
		);
		for (let polls = 0; polls < 5; polls++) {
			polling.passMinutes(16);
			expect(await poller.poll()).toEqual([]);
		}
	});

	it('a list of another sheet with old dates does not move the cursor', async () => {
		const poller = await polling.begun();
		polling.passMinutes(1);
		polling.people.edit(orders, 5, remark('changed'));
		polling.service.switches.filterLagMilliseconds = 90_000;
		polling.people.edit(orders, 6, remark('changed, found late'));
		answerWith(listOfAnotherSheet('2025/12/02 10:00:00'), isListOfChanges);
		for (let polls = 0; polls < 4; polls++) {
			polling.passMinutes(3);
			expect(await poller.poll()).toEqual([]);
		}
		polling.service.faults.clear();
		expect(await pollsUntilQuiet(poller)).toEqual(['UPDATE 5', 'UPDATE 6']);
	});

	it('a list of another sheet at the first poll fails it', async () => {
		answerWith(listOfAnotherSheet(), isList);
		const poller = await polling.activate();
		await expect(poller.poll()).rejects.toThrow('another sheet');
		expect(poller.staticData).toEqual({});
	});

	it('a list of another sheet in place of the times in another time zone is not emitted', async () => {
		const poller = await polling.begun({ options: { timeZone: 8 } });
		polling.passMinutes(1);
		polling.people.edit(orders, 7, remark('changed'));
		answerWith(listOfAnotherSheet('2026/01/31 17:31:17'), ({ query }) =>
			query.some(([name]) => name === 'tz'),
		);
		expect(await poller.poll()).toEqual([]);
		polling.service.faults.clear();
		const items = await poller.poll();
		expect(emittedChanges(items)).toEqual(['UPDATE 7']);
		expect(items[0]?.record).toMatchObject({ Remark: 'changed' });
	});
});

it('the next item has the warnings of all polls since the last item, each once, and later items have none', async () => {
	const poller = await polling.begun({ startFrom: 'all' });
	for (const body of [listOfAnotherSheet(), '{}', listOfAnotherSheet()]) {
		answerWith(body, isListOfChanges);
		polling.passMinutes(1);
		expect(await poller.poll()).toEqual([]);
		polling.service.faults.clear();
	}
	const [first, ...rest] = await poller.poll();
	const warnings = String(first?._warning).match(/an empty list|not on this sheet/g);
	expect(warnings?.sort()).toEqual(['an empty list', 'not on this sheet']);
	polling.passMinutes(1);
	polling.people.edit(orders, 6, remark('changed'));
	const later = await poller.poll();
	expect(emittedChanges(later)).toEqual(['UPDATE 6']);
	expect([...rest, ...later].filter(({ _warning }) => _warning)).toEqual([]);
});

it('a record that was deleted between the list and its read by ID hides no other change', async () => {
	const poller = await polling.begun();
	polling.passMinutes(20);
	polling.people.edit(orders, 5, remark('changed'));
	polling.people.edit(orders, 6, remark('changed'));
	let isDeleted = false;
	polling.service.faults.inject({
		kind: 'reset',
		when: ({ path }) => {
			if (path.endsWith('/5') && !isDeleted) {
				isDeleted = true;
				polling.people.delete(orders, 5);
			}
			return false;
		},
	});
	const emitted = await pollsUntilQuiet(poller);
	expect(emitted).toContain('UPDATE 6');
	expect(poller.printed.join('\n')).not.toContain('records that are not on this sheet');
});
