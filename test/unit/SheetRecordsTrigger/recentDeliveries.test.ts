import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import {
	formatLastDelivery,
	parseLastDelivery,
} from '../../../nodes/SheetRecordsTrigger/storedDeliveries';
import { runs } from '../../amount';
import { atOnce } from '../../../nodes/api/json/jsonReading';
import type { DeliveredRecord } from '../../../nodes/api/webhooks/delivery';
import type { ChangedRecord } from '../../../nodes/SheetRecordsTrigger/changedRecords';

type Module = typeof import('../../../nodes/SheetRecordsTrigger/recentDeliveries');
type State = typeof import('../../../nodes/api/http/processState');

/** Modules of processes, loaded once, because loading them takes most of the time. The first ones belong to the current test. */
const modules: Array<Module & Pick<State, 'clearProcessState'>> = [];
let processCount = 0;

/** Ends all processes. The next ones get their modules, without remembered deliveries. */
function endProcesses(): void {
	processCount = 0;
}
beforeEach(endProcesses);

const nodeKey = 'workflow/node';
const compared = { repeats: true, content: true, watched: [] };

/** The static data in n8n's database, serialized. */
class Database {
	private text = '{}';

	load(): IDataObject {
		return JSON.parse(this.text);
	}

	save(staticData: IDataObject): void {
		this.text = JSON.stringify(staticData);
	}
}

/** A process of n8n with its own module state. */
class Process {
	private readonly module = startProcess();

	constructor(private readonly database = new Database()) {}

	/** Activates the node as n8n's main process does at its start and when a workflow is published. */
	activate(): this {
		const staticData = this.database.load();
		this.module.restartMemory(nodeKey, staticData);
		this.database.save(staticData);
		return this;
	}

	/** Loads the static data for a delivery. */
	receive() {
		const staticData = this.database.load();
		return {
			storedBy: String(staticData.storedBy ?? ''),
			/** Returns the changed records, which are emitted. */
			changed: (...records: ChangedRecord[]): ChangedRecord[] => {
				const recent = new this.module.RecentDeliveries(nodeKey, staticData, compared);
				atOnce(recent.noteDelivery({ event: 'UPDATE', records }, 0));
				const changed = records.filter((record) => !recent.noteContent(record));
				recent.store();
				return changed;
			},
			/** Returns whether the delivery of a text of record 1 is a repeat. */
			isRepeat: (text: string, now = 0): boolean => {
				const recent = new this.module.RecentDeliveries(nodeKey, staticData, compared);
				const records = [updateOf('1', text)];
				const isRepeat = atOnce(recent.noteDelivery({ event: 'UPDATE', records }, now));
				recent.store();
				return isRepeat;
			},
			save: () => this.database.save(staticData),
		};
	}

	/** Delivers a text of record 1, and returns whether it is a repeat. */
	isRepeat(text: string, now = 0): boolean {
		const delivery = this.receive();
		const isRepeat = delivery.isRepeat(text, now);
		delivery.save();
		return isRepeat;
	}

	/** Delivers texts of one record in this order, and returns for each whether it is emitted. */
	emits(...texts: string[]): boolean[] {
		return texts.map((text) => this.changed(updateOf('1', text)).length > 0);
	}

	/** Returns the warning in the item of a record. */
	warning(record: DeliveredRecord): string | undefined {
		const recent = new this.module.RecentDeliveries(nodeKey, this.database.load(), compared);
		atOnce(recent.noteDelivery({ event: 'UPDATE', records: [record] }, 0));
		return recent.nextWarning();
	}

	changed(...records: ChangedRecord[]): ChangedRecord[] {
		const delivery = this.receive();
		const changed = delivery.changed(...records);
		delivery.save();
		return changed;
	}
}

function updateOf(recordId: string | undefined, text = 'A'): DeliveredRecord {
	return { recordId, event: 'UPDATE', content: new Map([['1', text]]) };
}

/** Returns the module of a process that no other process since `endProcesses` has. */
function startProcess(): Module {
	const module = modules[processCount] ?? loadModule();
	modules[processCount++] = module;
	module.clearProcessState();
	return module;
}

/** Loads a copy of the module and of its state. */
function loadModule(): Module & Pick<State, 'clearProcessState'> {
	const loaded: Array<Module & Pick<State, 'clearProcessState'>> = [];
	jest.isolateModules(() => {
		const path = '../../../nodes/SheetRecordsTrigger/recentDeliveries';
		const { clearProcessState } = jest.requireActual<State>('../../../nodes/api/http/processState');
		loaded.push({ ...jest.requireActual<Module>(path), clearProcessState });
	});
	const [module] = loaded;
	if (!module) throw new Error('The module was not loaded');
	return module;
}

describe('one process', () => {
	it('one process skips an update only if the previous one had the same content, however deliveries overlap', () => {
		const delivery = fc.record({
			recordId: fc.constantFrom('1', '2'),
			text: fc.constantFrom('A', 'B'),
			loadedEarlier: fc.nat({ max: 3 }),
			savedLater: fc.nat({ max: 3 }),
			restart: fc.nat({ max: 9 }).map((number) => number === 0),
		});
		fc.assert(
			fc.property(fc.array(delivery, { maxLength: 15 }), (deliveries) => {
				endProcesses();
				const database = new Database();
				let only = new Process(database).activate();
				const last = new Map<string, string>();
				const underWay: Array<ReturnType<Process['receive']>> = [];
				const unsaved: Array<{ due: number; save: () => void }> = [];
				deliveries.forEach(({ recordId, text, loadedEarlier, savedLater, restart }, time) => {
					if (restart) {
						for (const { save } of unsaved.splice(0)) save();
						underWay.length = 0;
						only = new Process(database).activate();
					}
					underWay.push(...Array.from({ length: loadedEarlier + 1 }, () => only.receive()));
					const taken = underWay.shift();
					const isEmitted = last.get(recordId) !== text;
					expect(taken?.changed(updateOf(recordId, text))).toHaveLength(isEmitted ? 1 : 0);
					last.set(recordId, text);
					if (taken) unsaved.push({ due: time + savedLater, save: taken.save });
					while (unsaved[0] && unsaved[0].due <= time) unsaved.shift()?.save();
				});
			}),
			{ numRuns: runs(25, 100, 1_000) },
		);
	});

	it('a record without an ID never counts as unchanged', () => {
		const only = new Process().activate();
		for (let count = 0; count < 2; count++) {
			expect(only.changed(updateOf(undefined))).toHaveLength(1);
		}
	});

	it.each<[what: string, change: Partial<ChangedRecord>]>([
		['could not be read', { unreadable: 'No access right' }],
		['was deleted', { event: 'DELETE' }],
	])('the content of a record that %s is not known, so the next update counts', (_, change) => {
		const only = new Process().activate();
		const records = [updateOf('1'), { ...updateOf('1'), ...change }, updateOf('1'), updateOf('1')];
		expect(records.map((record) => only.changed(record).length)).toEqual([1, 1, 1, 0]);
	});

	it('2,000 records are remembered: the oldest one beyond them is emitted once more', () => {
		const database = new Database();
		const only = new Process(database).activate();
		only.changed(...Array.from({ length: 2_000 }, (_, index) => updateOf(`${index + 1}`)));
		expect(JSON.stringify(database.load()).length).toBeLessThan(200_000);
		const changed = ['2001', '3', '1'].map((id) => only.changed(updateOf(id)));
		expect(changed.map(({ length }) => length)).toEqual([1, 0, 1]);
		expect(String(database.load().recentDeliveries).split(';')).toHaveLength(2_000);
	});
});

describe('stored deliveries', () => {
	/** Returns static data with an update of record 1, after `change` modified it. */
	function stored(change: (staticData: IDataObject) => void): Database {
		const database = new Database();
		new Process(database).activate().changed(updateOf('1'));
		const staticData = database.load();
		change(staticData);
		database.save(staticData);
		return database;
	}
	const last = { event: 'UPDATE', sent: 'a', at: 1, content: 'b' };
	const first = (...values: unknown[]) => ({
		recentDeliveriesVersion: 1,
		recentDeliveries: JSON.stringify(values),
	});

	function warningsOf(database: Database): Array<string | undefined> {
		const only = new Process(database).activate();
		return [1, 2].map(() => only.warning(updateOf('2')));
	}

	it('stored deliveries of this version are used without a warning', () => {
		const database = stored(() => {});
		expect(warningsOf(database)).toEqual([undefined, undefined]);
		expect(new Process(database).activate().changed(updateOf('1'))).toEqual([]);
	});

	it('missing stored deliveries cause no warning', () => {
		expect(warningsOf(new Database())).toEqual([undefined, undefined]);
	});

	it.each([
		{ what: 'of another version', changes: { recentDeliveriesVersion: 3 } },
		{ what: 'of a version without a number', changes: { recentDeliveriesVersion: undefined } },
		{ what: 'that are no JSON', changes: { recentDeliveries: '"1:' } },
		{ what: 'that are no text', changes: { recentDeliveries: 5 } },
		{ what: 'that are no list', changes: { recentDeliveries: '{}' } },
		...[
			...['x', '1', 'a:UPDATE,a,1,b', '1:UPDATE,a,x,b', '1:UPDATE,a,1', '1:UPDATE,a,,b'],
			...['1:UPDATE,a,1,%', '1:UPDATE,a,1,b,1', '1:UPDATE,a,1,b,1,x', '1:UPDATE,a,1,b,1,1=x'],
		].map((text) => ({ what: text, changes: { recentDeliveries: JSON.stringify(text) } })),
		{ what: 'of version 1 without entries', changes: first('1') },
		{ what: 'of version 1 with an ID that is no text', changes: first([1, last]) },
		{ what: 'of version 1 with null', changes: first(['1', null]) },
		...Object.keys(last).map((key) => ({
			what: `of version 1 without ${key}`,
			changes: first(['1', { ...last, [key]: undefined }]),
		})),
		...['x', { '1': 5 }, { '1': '{"a' }].map((states) => ({
			what: `of version 1 with the watched fields ${JSON.stringify(states)}`,
			changes: first(['1', { ...last, states }]),
		})),
	])('stored deliveries $what are dropped, with one warning', ({ changes }) => {
		const database = stored((staticData) => Object.assign(staticData, changes));
		const warning = expect.stringContaining('could not be read');
		expect(warningsOf(database)).toEqual([warning, undefined]);
		const process = new Process(database).activate();
		expect(process.changed(updateOf('1'))).toHaveLength(1);
		expect(process.changed(updateOf('1'))).toEqual([]);
	});

	it('the stored form of a delivery gives it back, and n8n has nothing to escape in it', () => {
		const text = fc.oneof(
			fc.string(),
			fc.string({ unit: fc.constantFrom('"', '\\', ';', '%', ',', '=', '\n') }),
		);
		const states = fc.dictionary(
			fc.constantFrom('1', '2'),
			text.map((value) => JSON.stringify(value)),
		);
		fc.assert(
			fc.property(text, fc.option(states, { nil: undefined }), (sent, known) => {
				const delivery = { ...last, sent, states: known };
				const stored = formatLastDelivery(delivery);
				expect(parseLastDelivery(stored)).toEqual(delivery);
				expect(JSON.stringify(stored)).toBe(`"${stored}"`);
				expect(stored).not.toContain(';');
			}),
		);
	});
});

/** Deliveries to several processes: which one, when it loaded the static data, and when it saves them. */
const steps = fc.array(
	fc.record({
		process: fc.nat({ max: 1 }),
		recordId: fc.constantFrom('1', '2'),
		text: fc.constantFrom('A', 'B'),
		loadedEarlier: fc.nat({ max: 2 }),
		savedLater: fc.nat({ max: 3 }),
	}),
	{ maxLength: 20 },
);
type Step = typeof steps extends fc.Arbitrary<Array<infer One>> ? One : never;

/** Runs the steps. Calls `onSkip` for each skipped update, with the last texts of its record: to any process, and to this process. */
function deliver(
	processes: readonly Process[],
	list: readonly Step[],
	onSkip: (skipped: {
		text: string;
		last?: string;
		lastReceived?: string;
		stamps: string[];
	}) => void,
): void {
	const underWay = processes.map((): Array<ReturnType<Process['receive']>> => []);
	const lastReceived = processes.map(() => new Map<string, string>());
	const stamps = processes.map(() => new Set<string>());
	const last = new Map<string, string>();
	const unsaved: Array<{ due: number; save: () => void }> = [];
	list.forEach(({ process: index, recordId, text, loadedEarlier, savedLater }, time) => {
		const queue = underWay[index] ?? [];
		for (let count = 0; count <= loadedEarlier; count++) {
			const received = processes[index]?.receive();
			if (received) queue.push(received);
		}
		const taken = queue.shift();
		if (taken?.storedBy.includes('/')) stamps[index]?.add(taken.storedBy.split('/')[0] ?? '');
		if (taken?.changed(updateOf(recordId, text)).length === 0) {
			const known = { last: last.get(recordId), lastReceived: lastReceived[index]?.get(recordId) };
			onSkip({ text, ...known, stamps: [...(stamps[index] ?? [])] });
		}
		last.set(recordId, text);
		lastReceived[index]?.set(recordId, text);
		if (taken) unsaved.push({ due: time + savedLater, save: taken.save });
		while (unsaved[0] && unsaved[0].due <= time) unsaved.shift()?.save();
	});
}

describe('several processes', () => {
	it('several processes skip nothing once they have noticed each other, whichever stores last', () => {
		const database = new Database();
		const firstProcess = new Process(database).activate();
		const other = new Process(database).activate();
		firstProcess.emits('A');
		other.emits('B');
		firstProcess.emits('A');
		const [ofOne, ofOther] = [firstProcess.receive(), other.receive()];
		expect(ofOther.changed(updateOf('1', 'B'))).toHaveLength(1);
		expect(ofOne.changed(updateOf('2', 'A'))).toHaveLength(1);
		ofOther.save();
		ofOne.save();
		expect([
			...firstProcess.emits('A'),
			...other.emits('A'),
			...firstProcess.emits('A'),
		]).not.toContain(false);
	});

	it('processes that did not activate the node drop no change, however their deliveries overlap', () => {
		fc.assert(
			fc.property(fc.boolean(), steps, (isActive, list) => {
				endProcesses();
				const database = new Database();
				const main = new Process(database);
				if (isActive) main.activate().emits('A', 'B', 'A');
				const processes = [new Process(database), new Process(database)];
				let skipped = 0;
				deliver(processes, list, () => skipped++);
				expect(skipped).toBe(0);
			}),
			{ numRuns: runs(25, 120, 2_000) },
		);
	});

	it('processes whose deliveries do not overlap skip an update only if the previous one had the same content', () => {
		const step = fc.record({
			process: fc.nat({ max: 2 }),
			text: fc.constantFrom('A', 'B'),
			restart: fc.nat({ max: 9 }).map((number) => number === 0),
		});
		fc.assert(
			fc.property(fc.array(step, { maxLength: 15 }), (list) => {
				endProcesses();
				const database = new Database();
				const start = (index: number) => {
					const started = new Process(database);
					return index < 2 ? started.activate() : started;
				};
				const processes = [0, 1, 2].map(start);
				let last: string | undefined;
				for (const { process: index, text, restart } of list) {
					if (restart) processes[index] = start(index);
					if (processes[index]?.emits(text)[0] === false) expect(text).toBe(last);
					last = text;
				}
			}),
			{ numRuns: runs(25, 100, 1_000) },
		);
	});

	it('a process that activated the node skips an update only if it received the previous one itself, and until it notices another process', () => {
		fc.assert(
			fc.property(fc.boolean(), steps, (areBoth, list) => {
				endProcesses();
				const database = new Database();
				const processes = [new Process(database).activate(), new Process(database)];
				if (areBoth) processes[1]?.activate();
				deliver(processes, list, ({ text, lastReceived, stamps }) => {
					expect(lastReceived).toBe(text);
					expect(stamps.length).toBeLessThanOrEqual(1);
				});
			}),
			{ numRuns: runs(25, 120, 2_000) },
		);
	});

	it('of two processes that activated the node, the first one notices the other before its first delivery', () => {
		const database = new Database();
		const firstProcess = new Process(database).activate();
		firstProcess.emits('A');
		new Process(database).activate();
		expect(firstProcess.emits('A', 'A')).toEqual([true, true]);
	});

	it('a process that did not activate the node takes over nothing, skips nothing and says so', () => {
		const database = new Database();
		const main = new Process(database).activate();
		main.emits('A');
		const other = new Process(database);
		expect(other.emits('A', 'A')).toEqual([true, true]);
		expect(other.warning(updateOf('2'))).toContain('several processes');
		expect(main.emits('A', 'A')).toEqual([true, true]);
	});

	it('a repeat is recognized by what any process has stored, and comes once more if that is not stored yet', () => {
		const database = new Database();
		new Process(database).activate();
		const [first, second] = [new Process(database), new Process(database)];
		expect([first.isRepeat('A'), second.isRepeat('A'), first.isRepeat('A')]).toEqual([
			false,
			true,
			true,
		]);
		expect([second.isRepeat('B', 1), first.isRepeat('A', 2), second.isRepeat('A', 3)]).toEqual([
			false,
			false,
			true,
		]);
		const overlapping = first.receive();
		expect(second.isRepeat('C')).toBe(false);
		expect(overlapping.isRepeat('C')).toBe(false);
	});

	it('a change back to an earlier content is no repeat, although a concurrent delivery to the process has overwritten the change in between', () => {
		const database = new Database();
		new Process(database).activate();
		const receiver = new Process(database);
		expect(receiver.isRepeat('A')).toBe(false);
		const ofAnotherRecord = receiver.receive();
		expect(receiver.isRepeat('B')).toBe(false);
		ofAnotherRecord.changed(updateOf('2', 'X'));
		ofAnotherRecord.save();
		expect(receiver.isRepeat('A')).toBe(false);
	});

	it('a repeat that only another process has received is recognized for a minute', () => {
		const database = new Database();
		new Process(database).activate();
		const [first, second] = [new Process(database), new Process(database)];
		expect(first.isRepeat('A')).toBe(false);
		expect([second.isRepeat('A', 59_999), second.isRepeat('A', 60_000)]).toEqual([true, false]);
	});
});

describe('stored deliveries of each version', () => {
	// Static data as the version stored it. A new version of the stored form needs a new fixture; these stay.
	const fixtures: Array<{ version: number; staticData: IDataObject }> = [
		{
			version: 1,
			staticData: {
				storedBy: '0b9d2c1e-6a57-4c0e-9d52-0d9b2f0c7a11/2f1c7a9e-1c1d-4c52-8f6b-6f6f0e1d2c3b',
				recentDeliveriesVersion: 1,
				recentDeliveries: JSON.stringify([
					[
						'1',
						{
							...{ event: 'UPDATE', sent: '0IH4FfClWJaRH8JAinFB8l', at: 1_700_000_000_000 },
							...{ content: '0IH4FfClWJaRH8JAinFB8l', states: { '1': '"A"' } },
						},
					],
				]),
			},
		},
		{
			version: 2,
			staticData: {
				storedBy: '0b9d2c1e-6a57-4c0e-9d52-0d9b2f0c7a11/2f1c7a9e-1c1d-4c52-8f6b-6f6f0e1d2c3b',
				recentDeliveriesVersion: 2,
				recentDeliveries:
					'"1:UPDATE,0IH4FfClWJaRH8JAinFB8l,1700000000000,0IH4FfClWJaRH8JAinFB8l,1,1=%22A%22"',
			},
		},
	];

	it.each(fixtures)('stored deliveries of version $version are read', ({ staticData }) => {
		const database = new Database();
		database.save(staticData);
		const process = new Process(database).activate();
		expect(process.warning(updateOf('2'))).toBeUndefined();
		expect(process.emits('A', 'B')).toEqual([false, true]);
	});
});

describe('a full memory', () => {
	const fill = (process: Process) =>
		process.changed(...Array.from({ length: 2_000 }, (_, index) => updateOf(`${index + 1}`)));

	it('stores only the latest deliveries anew, and its whole text after 100 records', () => {
		const database = new Database();
		const only = new Process(database).activate();
		fill(only);
		const textOf = () => String(database.load().recentDeliveries);
		const full = textOf();
		let isSame = true;
		for (let id = 3_001; id <= 3_100; id++) {
			only.changed(updateOf(`${id}`));
			isSame &&= textOf() === full;
			expect(isSame).toBe(id < 3_100);
		}
		only.changed(updateOf('3'));
		expect(JSON.stringify(database.load()).length).toBeLessThan(210_000);
	});

	it('is complete after a restart: with the latest deliveries, and without the oldest records', () => {
		const database = new Database();
		const only = new Process(database).activate();
		fill(only);
		for (const id of ['2001', '2', '2002', '2001']) only.changed(updateOf(id));
		const restarted = new Process(database).activate();
		const changed = ['2', '2001', '2002', '5', '1', '3'].map((id) =>
			restarted.changed(updateOf(id)),
		);
		expect(changed.map(({ length }) => length)).toEqual([0, 0, 0, 0, 1, 1]);
	});

	it('is right after a restart at the moment when it was stored as a whole again', () => {
		const database = new Database();
		const only = new Process(database).activate();
		fill(only);
		only.changed(updateOf('5', 'B'));
		for (let id = 3_001; id <= 3_098; id++) only.changed(updateOf(`${id}`));
		const full = database.load().recentDeliveries;
		only.changed(updateOf('3099'), updateOf('5', 'A'));
		expect(database.load().recentDeliveries).not.toBe(full);
		const restarted = new Process(database).activate();
		const isChanged = ['A', 'B'].map((text) => restarted.changed(updateOf('5', text)).length === 1);
		expect(isChanged).toEqual([false, true]);
	});

	it('starts again with a warning if its latest deliveries are damaged', () => {
		const database = new Database();
		const only = new Process(database).activate();
		fill(only);
		only.changed(updateOf('2001'));
		database.save({ ...database.load(), laterDeliveries: '"x"' });
		expect(new Process(database).activate().warning(updateOf('2'))).toContain('could not be read');
	});
});
