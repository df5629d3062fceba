import { orders, type SeenRequest } from '../../service';
import { emittedChanges, usePollingTestbed } from './pollingTestbed';

const polling = usePollingTestbed();
const { fields } = orders;
const hour = 3_600_000;
const all = () => [...polling.service.data.sheet(orders).records.values()];

function edit(id: number, text: string): void {
	polling.people.edit(orders, id, { [fields.remark]: text });
}

/** The fields *Remark* and *Reference* swap their names. */
function swapNames(): void {
	const swapped = [fields.remark, fields.reference];
	const [first, second] = polling.service.data
		.sheet(orders)
		.fields.filter(({ id }) => swapped.includes(id));
	if (first && second) [first.name, second.name] = [second.name, first.name];
}

/** Each request gets another value of a formula. */
function recalculateAtEachRequest(): void {
	let count = 0;
	polling.service.beforeRequest(() => {
		for (const record of all()) record.set(fields.total, `${++count}.00`);
	});
}

describe.each(['admin', 'member', 'guest'] as const)('for the key of %s', (kind) => {
	const user = kind === 'admin' ? 'admin' : 'member';

	async function begun() {
		if (kind === 'guest') Object.assign(polling.service.switches, { definition: 'code106' });
		const credentials = polling.testbed.credentials(user);
		const poller = await polling.begun({}, { credentials });
		// Forget the fields that another test has loaded.
		poller.startProcess();
		polling.passMinutes(1);
		edit(5, 'changed');
		expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 5']);
		return poller;
	}

	it('a formula with another value at each read is no update', async () => {
		const poller = await begun();
		recalculateAtEachRequest();
		for (let minutes = 0; minutes < 8; minutes++) {
			polling.passSeconds(50);
			expect(await poller.poll()).toEqual([]);
		}
	});

	it('a field that is added and filled in for all records is no update', async () => {
		const poller = await begun();
		const sheet = polling.service.data.sheet(orders);
		sheet.fields.push({ id: '1000077', name: 'Region', type: 'text' });
		for (const record of all()) record.set('1000077', 'North');
		for (let minutes = 0; minutes < 8; minutes++) {
			polling.passSeconds(50);
			expect(await poller.poll()).toEqual([]);
		}
	});

	it('a field that is added is no update of the latest record, although many others changed at the same earlier moment', async () => {
		const sheet = polling.service.data.sheet(orders);
		for (let count = 0; count < 60; count++) sheet.add({ at: Date.UTC(2026, 0, 31, 9), user: '' });
		const poller = await begun();
		sheet.fields.push({ id: '1000077', name: 'Region', type: 'text' });
		for (const record of all()) record.set('1000077', 'North');
		polling.passSeconds(50);
		expect(await poller.poll()).toEqual([]);
	});

	it('a field that is added to a subtable and filled in for all rows is no update', async () => {
		const poller = await begun();
		const { id: subtableId } = orders.subtables.lines;
		const added = { id: '3000077', name: 'Region', type: 'text' } as const;
		for (const subtable of polling.service.data.sheet(orders).subtables) {
			if (subtable.id === subtableId) subtable.fields.push(added);
		}
		for (const record of all()) {
			for (const row of record.rows(subtableId).values()) row.set(added.id, 'North');
		}
		for (let minutes = 0; minutes < 8; minutes++) {
			polling.passSeconds(50);
			expect(await poller.poll()).toEqual([]);
		}
	});

	it('a field that is added and filled in while the time zone of the account moves is no update', async () => {
		const poller = await begun();
		const sheet = polling.service.data.sheet(orders);
		sheet.fields.push({ id: '1000077', name: 'Region', type: 'text' });
		for (const record of all()) {
			record.set('1000077', 'North');
			const { created, updated } = record;
			Object.assign(record, {
				created: { ...created, at: created.at + 8 * hour },
				updated: { ...updated, at: updated.at + 8 * hour },
			});
		}
		polling.setServiceBack(-8 * 60);
		for (let minutes = 0; minutes < 8; minutes++) {
			polling.passSeconds(50);
			expect(await poller.poll()).toEqual([]);
		}
		edit(6, 'changed');
		expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 6']);
	});

	it('a field that is added after two others swapped names is no update', async () => {
		const poller = await begun();
		const sheet = polling.service.data.sheet(orders);
		swapNames();
		polling.passSeconds(50);
		expect(await poller.poll()).toEqual([]);
		sheet.fields.push({ id: '1000077', name: 'Region', type: 'text' });
		for (const record of all()) record.set('1000077', 'North');
		for (let minutes = 0; minutes < 3; minutes++) {
			polling.passSeconds(50);
			expect(await poller.poll()).toEqual([]);
		}
		poller.forgetProcess();
	});

	it('a field that is added while two others swap names is no update', async () => {
		const poller = await begun();
		swapNames();
		polling.service.data.sheet(orders).fields.push({ id: '1000077', name: 'Region', type: 'text' });
		for (const record of all()) record.set('1000077', 'North');
		polling.passSeconds(50);
		edit(6, 'changed');
		expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 6']);
		poller.forgetProcess();
	});

	it('a change within the same second is an update if the fields are known', async () => {
		const poller = await begun();
		edit(5, 'changed again');
		const expected = kind === 'guest' ? [] : ['UPDATE 5'];
		expect(emittedChanges(await poller.poll())).toEqual(expected);
		expect(await poller.poll()).toEqual([]);
	});
});

it('changes within the same second are updates although one of their records is changed again before it is read a second time', async () => {
	const poller = await polling.begun({}, { credentials: polling.testbed.credentials('member') });
	// Forget the fields that another test has loaded.
	poller.startProcess();
	polling.passMinutes(1);
	const editBoth = (text: string) => [5, 6].forEach((id) => edit(id, text));
	editBoth('changed');
	expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 5', 'UPDATE 6']);
	editBoth('changed again');
	let isReadAgain = false;
	polling.service.beforeRequest(({ path }) => {
		if (!path.endsWith('/1/5') || isReadAgain) return;
		isReadAgain = true;
		polling.passSeconds(1);
		edit(5, 'changed later');
	});
	expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 5', 'UPDATE 6']);
	expect(isReadAgain).toBe(true);
	expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 5']);
	expect(await poller.poll()).toEqual([]);
});

it('a formula that is calculated again once is no update if the schema tells the formulas', async () => {
	const credentials = polling.testbed.credentials('admin');
	const poller = await polling.begun({}, { credentials });
	polling.passMinutes(1);
	edit(5, 'changed');
	expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 5']);
	polling.service.data.record(orders, 5).set(fields.total, '777.00');
	expect(await poller.poll()).toEqual([]);
});

describe('when the time zone of the account moves all dates', () => {
	/** The offset of the account's time zone, with an hour of summer time from April to September. */
	function moveAll(hours: number, isSummerTime = false): void {
		const moved = (at: number) => {
			const month = new Date(at).getUTCMonth();
			const summer = isSummerTime && month >= 3 && month <= 8 ? 1 : 0;
			return at + (hours + summer) * hour;
		};
		for (const record of all()) {
			const { created, updated } = record;
			Object.assign(record, {
				created: { ...created, at: moved(created.at) },
				updated: { ...updated, at: moved(updated.at) },
			});
		}
		polling.setServiceBack(-hours * 60);
	}

	it('a field that is added and filled in at the same time is no update', async () => {
		const poller = await polling.begun({}, { credentials: polling.testbed.credentials('admin') });
		moveAll(8);
		polling.service.data.sheet(orders).fields.push({ id: '1000077', name: 'Region', type: 'text' });
		for (const record of all()) record.set('1000077', 'North');
		polling.passMinutes(1);
		edit(7, 'after');
		const emitted: string[] = [];
		for (let polls = 0; polls < 3; polls++) {
			emitted.push(...emittedChanges(await poller.poll()));
			polling.passMinutes(6);
		}
		expect(emitted).toEqual(['UPDATE 7']);
		poller.forgetProcess();
	});

	it.each([
		{ hours: 8, isSummerTime: false },
		{ hours: 13.75, isSummerTime: false },
		{ hours: 8, isSummerTime: true },
		{ hours: -8, isSummerTime: false },
		{ hours: -13, isSummerTime: true },
	])(
		'by $hours hours, only real changes are emitted, each once (summer time: $isSummerTime)',
		async (move) => {
			for (const record of all()) {
				record.updated = { ...record.updated, at: Date.UTC(2025, record.id % 12, 3, 10) };
			}
			const poller = await polling.begun();
			for (const id of [5, 6, 7]) {
				polling.passMinutes(1);
				edit(id, 'before');
			}
			expect(await poller.poll()).toHaveLength(3);
			moveAll(move.hours, move.isSummerTime);
			const emitted: string[] = [];
			for (let polls = 0; polls < 12; polls++) {
				polling.passMinutes(7);
				edit(10 + polls, 'after');
				emitted.push(...emittedChanges(await poller.poll()));
			}
			for (let polls = 0; polls < 3; polls++) {
				polling.passMinutes(16);
				emitted.push(...emittedChanges(await poller.poll()));
			}
			const ids = Array.from({ length: 12 }, (_, index) => 10 + index);
			expect(emitted.sort()).toEqual(ids.map((id) => `UPDATE ${id}`).sort());
		},
	);
});

it('a later change is emitted although the service does not return its list of fields, which a change within the same second needs', async () => {
	const poller = await polling.begun();
	edit(5, 'changed');
	expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 5']);
	poller.startProcess();
	edit(5, 'changed again');
	polling.passMinutes(1);
	edit(6, 'changed');
	const { timeout } = AbortSignal;
	jest
		.spyOn(AbortSignal, 'timeout')
		.mockImplementation((milliseconds) =>
			timeout.call(AbortSignal, milliseconds === 30_000 ? 100 : milliseconds),
		);
	const when = ({ path }: SeenRequest) => path.endsWith('/schema');
	polling.service.faults.inject({ kind: 'hang', when, times: Infinity });
	expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 6']);
});
