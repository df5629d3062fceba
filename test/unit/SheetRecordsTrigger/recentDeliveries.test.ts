import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { runs } from '../../amount';
import type { DeliveredRecord } from '../../../nodes/api/webhooks/delivery';

type Module = typeof import('../../../nodes/SheetRecordsTrigger/recentDeliveries');

const nodeKey = 'workflow/node';

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
	private readonly module = freshModule();

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
			changed: (...records: DeliveredRecord[]): DeliveredRecord[] => {
				const recent = new this.module.RecentDeliveries(nodeKey, staticData);
				recent.noteDelivery({ event: 'UPDATE', records }, 0);
				const changed = records.filter((record) => !recent.noteContent(record));
				recent.store();
				return changed;
			},
			save: () => this.database.save(staticData),
		};
	}

	/** Delivers texts of one record in this order, and returns for each whether it is emitted. */
	emits(...texts: string[]): boolean[] {
		return texts.map((text) => this.changed(updateOf('1', text)).length > 0);
	}

	/** Returns the warning in the item of a record. */
	warning(record: DeliveredRecord): string | undefined {
		const recent = new this.module.RecentDeliveries(nodeKey, this.database.load());
		recent.noteDelivery({ event: 'UPDATE', records: [record] }, 0);
		return recent.nextWarning();
	}

	changed(...records: DeliveredRecord[]): DeliveredRecord[] {
		const delivery = this.receive();
		const changed = delivery.changed(...records);
		delivery.save();
		return changed;
	}
}

function updateOf(recordId: string | undefined, text = 'A'): DeliveredRecord {
	return { recordId, event: 'UPDATE', content: new Map([['1', text]]) };
}

function freshModule(): Module {
	const loaded: Module[] = [];
	const path = '../../../nodes/SheetRecordsTrigger/recentDeliveries';
	jest.isolateModules(() => loaded.push(jest.requireActual<Module>(path)));
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
			{ numRuns: runs(50, 200) },
		);
	});

	it('a record without an ID never counts as unchanged', () => {
		const only = new Process();
		for (let count = 0; count < 2; count++) {
			expect(only.changed(updateOf(undefined))).toHaveLength(1);
		}
	});

	it('2,000 records are remembered: the oldest one beyond them is emitted once more', () => {
		const database = new Database();
		const only = new Process(database);
		only.changed(...Array.from({ length: 2_000 }, (_, index) => updateOf(`${index + 1}`)));
		expect(JSON.stringify(database.load()).length).toBeLessThan(400_000);
		const changed = ['2001', '3', '1'].map((id) => only.changed(updateOf(id)));
		expect(changed.map(({ length }) => length)).toEqual([1, 0, 1]);
		expect(JSON.parse(String(database.load().recentDeliveries))).toHaveLength(2_000);
	});
});

describe('stored deliveries', () => {
	/** Returns static data with an update of record 1, after `change` modified it. */
	function stored(change: (staticData: IDataObject) => void): Database {
		const database = new Database();
		new Process(database).changed(updateOf('1'));
		const staticData = database.load();
		change(staticData);
		database.save(staticData);
		return database;
	}
	const last = { event: 'UPDATE', sent: 'a', at: 1, content: 'b' };
	const entries = (...values: unknown[]) => JSON.stringify(values);

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
		{ what: 'of another version', changes: { recentDeliveriesVersion: 2 } },
		{ what: 'of a version without a number', changes: { recentDeliveriesVersion: undefined } },
		{ what: 'that are no JSON', changes: { recentDeliveries: '[["1",{' } },
		{ what: 'that are no text', changes: { recentDeliveries: 5 } },
		{ what: 'that are no list', changes: { recentDeliveries: '{}' } },
		{ what: 'without entries', changes: { recentDeliveries: entries('1') } },
		{ what: 'with an ID that is no text', changes: { recentDeliveries: entries([1, last]) } },
		{ what: 'with null', changes: { recentDeliveries: entries(['1', null]) } },
		...Object.keys(last).map((key) => ({
			what: `without ${key}`,
			changes: { recentDeliveries: entries(['1', { ...last, [key]: undefined }]) },
		})),
		...['x', { '1': 5 }, { '1': '{"a' }].map((states) => ({
			what: `with the watched fields ${JSON.stringify(states)}`,
			changes: { recentDeliveries: entries(['1', { ...last, states }]) },
		})),
	])('stored deliveries $what are dropped, with one warning', ({ changes }) => {
		const database = stored((staticData) => Object.assign(staticData, changes));
		const warning = expect.stringContaining('could not be read');
		expect(warningsOf(database)).toEqual([warning, undefined]);
		const process = new Process(database).activate();
		expect(process.changed(updateOf('1'))).toHaveLength(1);
		expect(process.changed(updateOf('1'))).toEqual([]);
	});
});

describe('several processes', () => {
	it('several processes skip nothing once they have noticed each other, whichever stores last', () => {
		const database = new Database();
		const firstProcess = new Process(database).activate();
		const other = new Process(database);
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

	it('several processes skip an update only if the previous one had the same content', () => {
		const step = fc.record({
			process: fc.nat({ max: 2 }),
			text: fc.constantFrom('A', 'B'),
			restart: fc.nat({ max: 9 }).map((number) => number === 0),
		});
		fc.assert(
			fc.property(fc.array(step, { maxLength: 15 }), (steps) => {
				const database = new Database();
				const start = (index: number) => {
					const started = new Process(database);
					return index < 2 ? started.activate() : started;
				};
				const processes = [0, 1, 2].map(start);
				let last: string | undefined;
				for (const { process: index, text, restart } of steps) {
					if (restart) processes[index] = start(index);
					if (processes[index]?.emits(text)[0] === false) expect(text).toBe(last);
					last = text;
				}
			}),
			{ numRuns: runs(50, 200) },
		);
	});

	it('several processes at once skip an update only if they received the previous one themselves and have not noticed each other', () => {
		const step = fc.record({
			process: fc.nat({ max: 1 }),
			recordId: fc.constantFrom('1', '2'),
			text: fc.constantFrom('A', 'B'),
			loadedEarlier: fc.nat({ max: 2 }),
			savedLater: fc.nat({ max: 3 }),
		});
		fc.assert(
			fc.property(fc.boolean(), fc.array(step, { maxLength: 20 }), (isMain, steps) => {
				const database = new Database();
				if (!isMain) new Process(database).activate();
				const processes = [0, 1].map(() => {
					const process = new Process(database);
					return isMain ? process.activate() : process;
				});
				const underWay = processes.map((): Array<ReturnType<Process['receive']>> => []);
				const own = [new Map<string, string>(), new Map<string, string>()];
				const stamps = processes.map(() => new Set<string>());
				const unsaved: Array<{ due: number; save: () => void }> = [];
				steps.forEach(({ process: index, recordId, text, loadedEarlier, savedLater }, time) => {
					const queue = underWay[index] ?? [];
					for (let count = 0; count <= loadedEarlier; count++) {
						const received = processes[index]?.receive();
						if (received) queue.push(received);
					}
					const taken = queue.shift();
					if (taken?.storedBy.includes('/')) stamps[index]?.add(taken.storedBy.split('/')[0] ?? '');
					const isSkipped = taken?.changed(updateOf(recordId, text)).length === 0;
					const ids = [...(stamps[index] ?? [])].filter((id) => id !== 'activated');
					if (isSkipped) expect(own[index]?.get(recordId)).toBe(text);
					if (isSkipped) expect(ids.length).toBeLessThanOrEqual(1);
					own[index]?.set(recordId, text);
					if (taken) unsaved.push({ due: time + savedLater, save: taken.save });
					while (unsaved[0] && unsaved[0].due <= time) unsaved.shift()?.save();
				});
			}),
			{ numRuns: runs(200, 2_000) },
		);
	});

	it('a process that did not activate the node takes over nothing of another process', () => {
		const database = new Database();
		new Process(database).activate().emits('A');
		const other = new Process(database);
		expect(other.emits('A', 'A')).toEqual([true, true]);
		expect(other.warning(updateOf('2'))).toContain('several processes');
	});

	it('one process that receives deliveries skips them although another one activated the node', () => {
		const database = new Database();
		new Process(database).activate();
		expect(new Process(database).emits('A', 'A', 'B')).toEqual([true, false, true]);
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
	];

	it.each(fixtures)('stored deliveries of version $version are read', ({ staticData }) => {
		const database = new Database();
		database.save(staticData);
		const process = new Process(database).activate();
		expect(process.warning(updateOf('2'))).toBeUndefined();
		expect(process.emits('A', 'B')).toEqual([false, true]);
	});
});
