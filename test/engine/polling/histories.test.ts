import fc from 'fast-check';
import { NodeApiError, type INodeParameters } from 'n8n-workflow';
import { amount, runs } from '../../amount';
import { orders, type Fault, type SeenRequest } from '../../service';
import { timeLimit } from '../../timeLimit';
import type { Poller } from '../runner';
import { asVersion10 } from './olderState';
import { emittedChanges, PollingTestbed } from './pollingTestbed';
import { useRecordTestbed } from '../recordTestbed';

// Many histories with a poll after most steps.
jest.setTimeout(timeLimit(amount(120, 240, 900)));

const testbed = useRecordTestbed({ demoRecords: 12 });
const { fields } = orders;
const events = ['CREATE', 'UPDATE', 'DELETE'];
const undatedId = 12;

const failures: Fault[] = [
	{ kind: 'status', status: 500 },
	{ kind: 'body', body: '{"status":"ERROR","code":202,"msg":"Error executing"}' },
	{ kind: 'body', body: '<html><body>Maintenance</body></html>' },
	{ kind: 'body', body: '' },
];
const asksForIds = ({ query }: SeenRequest) => query.some(([name]) => name === 'listing');
const asksForOne = ({ method, path }: SeenRequest) => method === 'GET' && /\/1\/\d+$/.test(path);

/** Settings that select the same records and changes. */
const settings: INodeParameters[] = [
	{ watchFields: [] },
	{ watchFields: [fields.remark] },
	{ watchFields: [fields.remark, fields.city] },
	{ filters: { conditions: [{ field: 'Remark', operator: 'ne', value: 'no such text' }] } },
	{ filters: {} },
	{ options: { deletionCheckEvery: 1, output: 'event', fieldKeys: 'id' } },
	{ options: { deletionCheckEvery: 1, typedValues: true } },
];

type Step =
	| { kind: 'edit' | 'delete' | 'restore'; id: number }
	| { kind: 'create' | 'calculate' | 'addField' | 'damage' | 'repair' | 'poll' | 'restart' }
	| { kind: 'olderState' | 'swapNames' }
	| { kind: 'failedCheck' | 'failedRead' | 'settings' | 'events' | 'moveZone'; index: number };

const id = fc.integer({ min: 1, max: undatedId - 1 });
const index = fc.nat({ max: 20 });
const step: fc.Arbitrary<Step> = fc.oneof(
	{ weight: 4, arbitrary: fc.record({ kind: fc.constant('edit' as const), id }) },
	{ weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('delete', 'restore'), id }) },
	{
		weight: 4,
		arbitrary: fc.record({
			kind: fc.constantFrom(
				...(['create', 'calculate', 'addField', 'damage', 'repair', 'restart'] as const),
				...(['olderState', 'swapNames'] as const),
			),
		}),
	},
	{ weight: 5, arbitrary: fc.constant<Step>({ kind: 'poll' }) },
	{
		weight: 4,
		arbitrary: fc.record({
			kind: fc.constantFrom('failedCheck', 'failedRead', 'settings', 'events', 'moveZone'),
			index,
		}),
	},
);

/** Hours by which the account's time zone moves. */
const zoneShifts = [8, -8, 13.75, -13];

/** Events of the node. Without deletions, nothing is deleted or restored. */
const chosenEvents = [events, ['DELETE', 'UPDATE', 'CREATE'], ['UPDATE', 'CREATE']];

/** A sheet with changes by users, and a node that polls it. Each change is expected once. */
class History {
	private readonly expected = new Map<number, string>();
	private readonly deleted = new Set<number>();
	private count = 0;
	/** Whether deletions are among the events. */
	private hasDeletions = true;
	/** Whether the time zone has moved since the last `settle`. Changes may then come late, but not never. */
	private hasMoved = false;
	/** Time zone of the account, in hours from UTC. */
	private zone = 0;

	constructor(
		private readonly polling: PollingTestbed,
		private readonly poller: Poller,
	) {}

	async take(taken: Step): Promise<void> {
		this.polling.passMinutes(1);
		if (taken.kind === 'poll') return await this.poll();
		if (taken.kind === 'failedCheck' || taken.kind === 'failedRead') {
			const fault = failures[taken.index % failures.length];
			const { faults } = this.polling.service;
			const when = taken.kind === 'failedCheck' ? asksForIds : asksForOne;
			if (fault) faults.inject({ ...fault, when, times: Infinity });
			// A list without any known record must be confirmed by a single read, or the poll fails as a whole.
			await this.poll(true).catch((error: unknown) => {
				if (taken.kind !== 'failedRead' || !(error instanceof NodeApiError)) throw error;
			});
			return faults.clear();
		}
		if (taken.kind === 'settings') {
			// Fields that are watched from now on start with their present values, and other filters list the records anew.
			await this.settle();
			this.poller.edit(settings[taken.index % settings.length] ?? {});
			return await this.poll();
		}
		if (taken.kind === 'events') return await this.chooseEvents(taken.index);
		if (taken.kind === 'moveZone') {
			return this.moveZone(zoneShifts[taken.index % zoneShifts.length] ?? 0);
		}
		if (taken.kind === 'swapNames') return await this.swapNames();
		if (taken.kind === 'restart') return this.poller.startProcess();
		if (taken.kind === 'olderState') return await this.installUpdate();
		this.happen(taken);
	}

	private async chooseEvents(number: number): Promise<void> {
		await this.settle();
		const chosen = chosenEvents[number % chosenEvents.length] ?? events;
		this.poller.edit({ events: chosen });
		await this.poll();
		// The first list after a change of the events says which records exist.
		await this.settle();
		this.hasDeletions = chosen.includes('DELETE');
	}

	/** Replaces the state by that of the version before, and starts a new process. */
	private async installUpdate(): Promise<void> {
		await this.settle();
		this.poller.changeStaticData(asVersion10(this.poller, this.polling.service));
		this.poller.startProcess();
		await this.poll();
	}

	/** Moves the clock of the account and all dates, as a new time zone of the account does: from UTC-12 to UTC+14. */
	private moveZone(hours: number): void {
		if (this.zone + hours < -12 || this.zone + hours > 14) return;
		this.zone += hours;
		this.hasMoved = true;
		for (const record of this.polling.service.data.sheet(orders).records.values()) {
			const moved = (at: number) => at + hours * 3_600_000;
			const { created, updated } = record;
			Object.assign(record, {
				created: { ...created, at: moved(created.at) },
				updated: { ...updated, at: moved(updated.at) },
			});
		}
		this.polling.setServiceBack(-hours * 60);
	}

	/** The watched field and another field swap their names. */
	private async swapNames(): Promise<void> {
		// In the minutes after a change, values are also compared by the names of before.
		await this.settle();
		const { fields: all } = this.polling.service.data.sheet(orders);
		const [first, second] = [fields.remark, fields.reference].map((fieldId) =>
			all.find(({ id: known }) => known === fieldId),
		);
		if (first && second) [first.name, second.name] = [second.name, first.name];
	}

	private happen(taken: Step): void {
		const { people, service } = this.polling;
		const { records, fields: all } = service.data.sheet(orders);
		if (taken.kind === 'create') this.expected.set(people.create(orders, {}).id, 'CREATE');
		if (taken.kind === 'calculate')
			for (const record of records.values()) record.set(fields.total, `${++this.count}.00`);
		if (taken.kind === 'addField') {
			const fieldId = `${1_000_070 + ++this.count}`;
			all.push({ id: fieldId, name: `Field ${this.count}`, type: 'text' });
			for (const record of records.values()) record.set(fieldId, 'North');
		}
		const undated = records.get(undatedId);
		if (undated && taken.kind === 'damage') undated.damagedDate = { date: 'n/a' };
		if (undated && taken.kind === 'repair') delete undated.damagedDate;
		if ('id' in taken) this.change(taken.kind, taken.id);
	}

	private change(kind: 'edit' | 'delete' | 'restore', recordId: number): void {
		const { people } = this.polling;
		const isPending = this.expected.has(recordId);
		if (kind !== 'edit' && !this.hasDeletions) return;
		if (kind === 'restore' && this.deleted.has(recordId) && !isPending) {
			people.restore(orders, recordId, { keepsDates: true });
			this.deleted.delete(recordId);
			this.expected.set(recordId, 'CREATE');
		}
		if (this.deleted.has(recordId)) return;
		if (kind === 'edit') {
			people.edit(orders, recordId, { [fields.remark]: `changed ${++this.count}` });
			if (!isPending) this.expected.set(recordId, 'UPDATE');
		}
		if (kind === 'delete' && !isPending) {
			people.delete(orders, recordId);
			this.deleted.add(recordId);
			this.expected.set(recordId, 'DELETE');
		}
	}

	/** Polls, and compares the emitted changes. A failed check may leave out deletions and restored records. */
	private async poll(isCheckFailing = false): Promise<void> {
		const emitted = emittedChanges(await this.poller.poll());
		const due = [...this.expected].map(([recordId, event]) => `${event} ${recordId}`);
		expect(emitted.filter((text) => !due.includes(text))).toEqual([]);
		expect(new Set(emitted).size).toBe(emitted.length);
		for (const text of emitted) this.expected.delete(Number(text.split(' ')[1]));
		if (isCheckFailing || this.hasMoved) return;
		expect([...this.expected].filter(([, event]) => event === 'UPDATE')).toEqual([]);
	}

	/** Polls until everything is emitted, and then expects nothing more. */
	async settle(): Promise<void> {
		for (let polls = 0; polls < 3; polls++) {
			this.polling.passMinutes(this.hasMoved ? 16 : 6);
			await this.poll();
		}
		expect([...this.expected]).toEqual([]);
		this.hasMoved = false;
	}
}

it('each change is emitted once and nothing else, with damaged dates, formulas, new and swapped fields, restored records, failing checks and reads, changed settings and events, moved time zones, an older state and new processes', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
			testbed.service.reset();
			const polling = new PollingTestbed(testbed);
			polling.begin();
			// Only the schema, which not every user may read, tells for certain which fields are formulas.
			const credentials = testbed.credentials('admin');
			const options = { deletionCheckEvery: 1 };
			const poller = await polling.begun({ events, options }, { credentials });
			const history = new History(polling, poller);
			for (const each of steps) await history.take(each);
			await history.settle();
			await history.settle();
			polling.end();
		}),
		{ numRuns: runs(8, 40, 300), seed: Number(process.env.SHEET_RECORDS_SEED ?? 1) },
	);
});
