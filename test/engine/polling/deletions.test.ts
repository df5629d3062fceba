import { invoices, orders, type SeenRequest } from '../../service';
import { eventOf, sheet } from '../recordTestbed';
import { emittedChanges, usePollingTestbed } from './pollingTestbed';

const polling = usePollingTestbed();
const { fields } = orders;
const everyPoll = { events: ['DELETE'], options: { deletionCheckEvery: 1 } };
const withUpdates = { ...everyPoll, events: ['UPDATE', 'DELETE'] };
const asksForIds = ({ query }: SeenRequest) => query.some(([name]) => name === 'listing');
const idsFrom = (first: number, last: number) =>
	Array.from({ length: last - first + 1 }, (_, index) => first + index);
const deletionsOf = (ids: readonly number[]) => ids.map((id) => `DELETE ${id}`).sort();

function remove(...ids: number[]): void {
	polling.passMinutes(1);
	for (const id of ids) polling.people.delete(orders, id);
}

/** Returns this answer to all requests of the next poll. */
function answerAll(body: string, when: typeof asksForIds = () => true): void {
	polling.service.faults.inject({ kind: 'body', body, when, times: Infinity });
}

describe('a deleted record', () => {
	it('a deleted record is emitted once if deletions are selected', async () => {
		const poller = await polling.begun(everyPoll);
		expect(await poller.poll()).toEqual([]);
		remove(5);
		expect(await poller.poll()).toEqual([
			eventOf(5, { event: 'DELETE', record: null, deleted: true }),
		]);
		expect(await poller.poll()).toEqual([]);
	});

	it('deleted records are checked once in ten polls by default', async () => {
		const poller = await polling.begun({ events: ['CREATE', 'UPDATE', 'DELETE'] });
		remove(5);
		for (let polls = 1; polls < 10; polls++) expect(await poller.poll()).toEqual([]);
		expect(emittedChanges(await poller.poll())).toEqual(['DELETE 5']);
		// Each poll looks for changes. The last one also lists the IDs, and requests the record and another one.
		expect(polling.requests).toHaveLength(13);
	});

	it.each([
		[true, 3, ['DELETE 5']],
		[false, 3, ['DELETE 5']],
		[true, 1 / 20, []],
		// The clock of n8n's machine was set back.
		[true, -3, ['DELETE 5']],
	])(
		'the first poll of a process checks for deleted records if enough time has passed: durable %j, %d days',
		async (isDurable, days, expected) => {
			const poller = await polling.begun({ events: ['UPDATE', 'DELETE'] }, { isDurable });
			poller.edit({ options: { deletionCheckEvery: 100 } });
			expect(await poller.poll()).toEqual([]);
			remove(5);
			polling.passMinutes(days * 24 * 60);
			poller.startProcess();
			expect(emittedChanges(await poller.poll())).toEqual(expected);
		},
	);

	it('a deleted record that was created since the last check is emitted', async () => {
		const parameters = { events: ['CREATE', 'DELETE'], options: { deletionCheckEvery: 2 } };
		const poller = await polling.begun(parameters);
		polling.passMinutes(1);
		const { id } = polling.people.create(orders, {});
		expect(emittedChanges(await poller.poll())).toEqual([`CREATE ${id}`]);
		remove(id);
		expect(emittedChanges(await poller.poll())).toEqual([`DELETE ${id}`]);
	});

	it('a restored record is emitted as created, whichever fields are watched', async () => {
		const events = ['CREATE', 'UPDATE', 'DELETE'];
		const poller = await polling.begun({ ...everyPoll, events, watchFields: ['Status'] });
		remove(5);
		expect(emittedChanges(await poller.poll())).toEqual(['DELETE 5']);
		polling.passMinutes(1);
		polling.service.switches.filterLagMilliseconds = 60_000;
		polling.people.restore(orders, 5);
		expect(await poller.poll()).toEqual([]);
		polling.passMinutes(1);
		expect(emittedChanges(await poller.poll())).toEqual(['CREATE 5']);
		expect(await poller.poll()).toEqual([]);
	});

	it.each([1, 15])(
		'a deleted record is emitted, with few requests, if %d other records have left the fixed filter of the sheet',
		async (left) => {
			const { status } = invoices.fields;
			const { records } = polling.service.data.sheet(invoices);
			const edit = (id: number, text: string) =>
				polling.people.edit(invoices, id, { [status]: text });
			while (records.size < 60) polling.people.create(invoices, {});
			for (const id of records.keys()) edit(id, 'Posted');
			const ids = [...records.keys()];
			const poller = await polling.begun({ ...everyPoll, sheet: sheet(invoices) });
			for (const id of ids.slice(0, left)) edit(id, 'Draft');
			const { id: created } = polling.people.create(invoices, { [status]: 'Posted' });
			const items: string[] = [];
			const gone = [...ids.slice(20, 22), created];
			for (const id of gone) {
				for (let looks = 0; looks < 3; looks++) {
					polling.passMinutes(20);
					items.push(...emittedChanges(await poller.poll()));
				}
				polling.people.delete(invoices, id);
			}
			items.push(...emittedChanges(await poller.poll()), ...emittedChanges(await poller.poll()));
			expect(items).toEqual(gone.map((id) => `DELETE ${id}`));
			polling.service.requests.forget();
			await poller.poll();
			expect(polling.requests).toHaveLength(1);
		},
	);

	it('many deleted records are emitted if a second check agrees', async () => {
		const poller = await polling.begun(everyPoll);
		const ids = idsFrom(1, 25);
		remove(...ids);
		const [first, second] = [await poller.poll(), await poller.poll()];
		expect(first).toHaveLength(10);
		expect(first[0]?._warning).toContain('left out 15 records');
		expect([...first.slice(1), ...second].filter(({ _warning }) => _warning)).toEqual([]);
		expect(emittedChanges([...first, ...second]).sort()).toEqual(deletionsOf(ids));
		expect(await poller.poll()).toEqual([]);
	});

	it.each([
		{ lists: 'of another sheet', body: '{"7":{"_svcId":7},"901":{"_svcId":901}}', minutes: 1 },
		{ lists: 'without records', body: '{}', minutes: 1 },
		{ lists: 'that were cut', body: '{"7":{"_svcId":7}}', minutes: 1 },
		{ lists: 'that were cut', body: '{"7":{"_svcId":7}}', minutes: 20 },
	])(
		'a record that is deleted after two lists $lists, $minutes minutes apart, is emitted',
		async ({ body, minutes }) => {
			const poller = await polling.begun(withUpdates);
			answerAll(body, asksForIds);
			for (let polls = 0; polls < 2; polls++) {
				polling.passMinutes(minutes);
				expect(await poller.poll()).toEqual([]);
			}
			// The first record of the list is always checked individually.
			polling.people.delete(orders, 30);
			polling.service.faults.clear();
			const items = [...(await poller.poll()), ...(await poller.poll())];
			expect(emittedChanges(items)).toEqual(['DELETE 30']);
		},
	);

	it('a record that is deleted after two filtered lists without records is emitted', async () => {
		polling.people.edit(orders, 4, { [fields.remark]: 'watched' });
		const filters = { conditions: [{ field: fields.remark, operator: 'eq', value: 'watched' }] };
		const poller = await polling.begun({ ...everyPoll, filters });
		answerAll('{}', asksForIds);
		for (let polls = 0; polls < 2; polls++) expect(await poller.poll()).toEqual([]);
		polling.people.delete(orders, 4);
		polling.service.faults.clear();
		expect(emittedChanges(await poller.poll())).toEqual(['DELETE 4']);
	});

	it('the deleted records of an emptied sheet are emitted if it stays empty', async () => {
		const poller = await polling.begun(everyPoll);
		remove(...idsFrom(1, 30));
		for (let minutes = 0; minutes < 15; minutes += 5, polling.passMinutes(5)) {
			expect(await poller.poll()).toEqual([]);
		}
		expect(poller.printed.join('\n')).toContain('left out 30 records');
		const items = await poller.poll();
		expect(emittedChanges(items).sort()).toEqual(deletionsOf(idsFrom(1, 30)));
		expect(items.filter(({ _warning }) => _warning)).toEqual([]);
		expect(await poller.poll()).toEqual([]);
	});
});

describe('records that only appear to be deleted', () => {
	it.each<[what: string, body: string, when: typeof asksForIds]>([
		['everything is answered with nothing', '{}', () => true],
		['the list is empty', '{}', asksForIds],
		['the list is cut', '{"7":{"_svcId":7}}', asksForIds],
	])(
		'an existing record is not emitted as deleted when for one poll %s, while deleted records are',
		async (_, body, when) => {
			const poller = await polling.begun(withUpdates);
			remove(...idsFrom(1, 10));
			answerAll(body, when);
			const items = [await poller.poll()].flat();
			polling.service.faults.clear();
			for (let polls = 0; polls < 3; polls++) items.push(...(await poller.poll()));
			expect(emittedChanges(items).sort()).toEqual(deletionsOf(idsFrom(1, 10)));
			remove(25);
			expect(emittedChanges(await poller.poll())).toEqual(['DELETE 25']);
		},
	);

	it.each([1, 3, 6])(
		'no record is emitted as deleted for a list of another sheet that is returned %d times',
		async (polls) => {
			const poller = await polling.begun(withUpdates);
			answerAll('{"7":{"_svcId":7},"901":{"_svcId":901}}', asksForIds);
			for (let poll = 0; poll < polls; poll++) {
				expect(await poller.poll()).toEqual([]);
				polling.passMinutes(5);
			}
			polling.service.faults.clear();
			expect(await poller.poll()).toEqual([]);
			remove(25);
			expect(emittedChanges(await poller.poll())).toEqual(['DELETE 25']);
		},
	);

	it.each([
		{ what: 'a sheet without records', remark: undefined },
		{ what: 'filters that no record matches', remark: 'no such remark' },
	])(
		'no record is emitted as deleted for a list of another sheet instead of $what',
		async ({ remark }) => {
			const conditions = [{ field: fields.remark, operator: 'eq', value: remark }];
			if (remark === undefined) remove(...idsFrom(1, 30));
			const poller = await polling.begun({
				...withUpdates,
				...(remark && { filters: { conditions } }),
			});
			answerAll('{"7":{"_svcId":7},"901":{"_svcId":901}}', asksForIds);
			expect(await poller.poll()).toEqual([]);
			polling.service.faults.clear();
			for (let polls = 0; polls < 5; polls++, polling.passMinutes(10)) {
				expect(await poller.poll()).toEqual([]);
			}
		},
	);

	it('no record is emitted as deleted if the first check listed another sheet', async () => {
		const poller = await polling.activate(everyPoll);
		answerAll('{"7":{"_svcId":7},"8":{"_svcId":8},"901":{"_svcId":901}}', asksForIds);
		expect(await poller.poll()).toEqual([]);
		polling.service.faults.clear();
		for (let polls = 0; polls < 3; polls++) expect(await poller.poll()).toEqual([]);
		remove(8);
		expect(emittedChanges(await poller.poll())).toEqual(['DELETE 8']);
	});

	it('no record is emitted as deleted while all answers are empty, and unconfirmed deletions are reported', async () => {
		const poller = await polling.begun(withUpdates);
		answerAll('{}');
		for (let minutes = 0; minutes < 12; minutes += 3, polling.passMinutes(3)) {
			expect(await poller.poll()).toEqual([]);
		}
		expect(poller.printed.join('\n')).toContain('left out 30 records');
		polling.service.faults.clear();
		for (let polls = 0; polls < 3; polls++) expect(await poller.poll()).toEqual([]);
		polling.people.edit(orders, 5, { [fields.remark]: 'changed' });
		const [item] = await poller.poll();
		expect([item?.recordId, item?._warning]).toEqual([5, undefined]);
	});

	it('a record that no longer matches the filters, or that the index lacks, is not emitted as deleted', async () => {
		for (const id of [3, 4, 5]) polling.people.edit(orders, id, { [fields.remark]: 'watched' });
		const filters = { conditions: [{ field: fields.remark, operator: 'eq', value: 'watched' }] };
		const poller = await polling.begun({ ...everyPoll, filters });
		polling.people.edit(orders, 3, { [fields.remark]: 'not any more' });
		remove(4, 6);
		expect(emittedChanges(await poller.poll())).toEqual(['DELETE 4']);
		polling.service.switches.filterLagMilliseconds = 60_000;
		polling.people.edit(orders, 5, { [fields.note]: 'hides it' });
		expect(await poller.poll()).toEqual([]);
		polling.passMinutes(2);
		expect(await poller.poll()).toEqual([]);
		remove(5);
		// Filters still find the record for one minute.
		expect(await poller.poll()).toEqual([]);
		polling.passMinutes(2);
		expect(emittedChanges(await poller.poll())).toEqual(['DELETE 5']);
		polling.passMinutes(20);
		expect(await poller.poll()).toEqual([]);
		polling.service.requests.forget();
		expect(await poller.poll()).toEqual([]);
		expect(polling.requests).toHaveLength(1);
	});

	it('many records that no longer match the filters are not emitted as deleted, and are forgotten after 15 minutes', async () => {
		const filters = { conditions: [{ field: fields.remark, operator: 'eq', value: 'watched' }] };
		const change = (text: string) =>
			polling.people.massChange(orders, idsFrom(1, 20), () => ({ [fields.remark]: text }));
		change('watched');
		const poller = await polling.begun({ ...everyPoll, filters });
		change('not any more');
		remove(20);
		expect(emittedChanges(await poller.poll())).toEqual(['DELETE 20']);
		polling.passMinutes(15);
		expect(await poller.poll()).toEqual([]);
		polling.service.requests.forget();
		expect(await poller.poll()).toEqual([]);
		expect(polling.requests).toHaveLength(1);
	});

	it('a record without read permission is not emitted as deleted', async () => {
		const poller = await polling.begun(everyPoll);
		remove(4);
		const body = '{"status":"ERROR","code":106,"msg":"No access right"}';
		const when = ({ path }: SeenRequest) => path.endsWith('/4');
		polling.service.faults.inject({ kind: 'status', status: 403, body, when, times: 2 });
		expect(await poller.poll()).toEqual([]);
	});
});

describe('a check for deleted records that takes too long', () => {
	it('a check for deleted records that takes too long is postponed, with a warning, and other events continue', async () => {
		const poller = await polling.begun({ ...withUpdates, options: { deletionCheckEvery: 2 } });
		remove(25);
		expect(await poller.poll()).toEqual([]);
		polling.people.edit(orders, 5, { [fields.remark]: 'changed' });
		polling.endPollsAt(poller, asksForIds);
		expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 5']);
		expect(poller.printed.join('\n')).toContain(
			'Deleted records are not noticed. The service did not answer',
		);
		polling.endPollsNoMore(poller);
		expect(await poller.poll()).toEqual([]);
		expect(emittedChanges(await poller.poll())).toEqual(['DELETE 25']);
	});

	it('a check for deleted records that takes too long fails on activation, and if only deletions are selected', async () => {
		for (const parameters of [withUpdates, everyPoll]) {
			const poller = await polling.activate(parameters);
			polling.endPollsAt(poller, asksForIds);
			await expect(poller.poll()).rejects.toThrow('did not answer within');
			expect(poller.staticData).toEqual({});
			polling.endPollsNoMore(poller);
		}
	});
});

it('too many records are rejected on activation, with their number and a solution', async () => {
	const poller = await polling.activate(everyPoll);
	const sheet = polling.service.data.sheet(orders);
	for (let count = 0; count < 50_001; count++) sheet.add({ at: 0, user: 'anybody' });
	await expect(poller.poll()).rejects.toMatchObject({
		message: expect.stringContaining('More than 50,000 records'),
		description: expect.stringContaining('Sheet Records Trigger'),
	});
});
