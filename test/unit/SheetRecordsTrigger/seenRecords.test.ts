import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import type { beginMemory } from '../../../nodes/SheetRecordsTrigger/nodeMemory';
import type { SeenRecords } from '../../../nodes/SheetRecordsTrigger/seenRecords';
import { amount } from '../../amount';

interface Modules {
	SeenRecords: typeof SeenRecords;
	beginMemory: typeof beginMemory;
}

const nodeKey = 'workflow/node';

/** The static data in n8n's database, as text. */
class Database {
	private text = '{}';

	load(): IDataObject {
		const stored: IDataObject = JSON.parse(this.text);
		return stored;
	}

	save(staticData: IDataObject): void {
		this.text = JSON.stringify(staticData);
	}
}

/** A process of n8n: its modules remember nothing of another's. */
class Process {
	private readonly modules = freshModules();

	constructor(private readonly database: Database) {}

	/** As n8n does in its main process when it starts, or the workflow is published. */
	activate(): this {
		const staticData = this.database.load();
		this.modules.beginMemory(nodeKey, staticData);
		this.database.save(staticData);
		return this;
	}

	/** Loads the static data for a delivery. */
	receive() {
		const staticData = this.database.load();
		return {
			/** Whether the record counts as changed, and is told. */
			tells: (recordId: string, text: string): boolean => {
				const seen = new this.modules.SeenRecords(nodeKey, staticData);
				const record = { recordId, event: 'UPDATE', content: new Map([['1', text]]) };
				const isUnchanged = seen.isUnchanged(record);
				seen.remember(record);
				seen.store();
				return !isUnchanged;
			},
			save: () => this.database.save(staticData),
		};
	}

	/** The same at once, for texts of one record in this order. */
	tells(...texts: string[]): boolean[] {
		return texts.map((text) => {
			const delivery = this.receive();
			const told = delivery.tells('1', text);
			delivery.save();
			return told;
		});
	}
}

function freshModules(): Modules {
	const loaded: Modules[] = [];
	const folder = '../../../nodes/SheetRecordsTrigger';
	jest.isolateModules(() =>
		loaded.push({
			...jest.requireActual<Pick<Modules, 'SeenRecords'>>(`${folder}/seenRecords`),
			...jest.requireActual<Pick<Modules, 'beginMemory'>>(`${folder}/nodeMemory`),
		}),
	);
	const [modules] = loaded;
	if (!modules) throw new Error('The modules were not loaded');
	return modules;
}

describe('one process', () => {
	it('goes on with what was stored, also where n8n activates nothing when it starts', () => {
		const database = new Database();
		const before = new Process(database).activate();
		expect(before.tells('A', 'A', 'B')).toEqual([true, false, true]);
		expect(new Process(database).tells('B', 'A', 'A')).toEqual([false, true, false]);
		expect(new Process(database).activate().tells('A', 'B')).toEqual([false, true]);
	});

	it('goes on after the workflow was published anew', () => {
		const only = new Process(new Database()).activate();
		const underWay = only.receive();
		expect(only.tells('A')).toEqual([true]);
		only.activate();
		expect(underWay.tells('1', 'A')).toBe(false);
		underWay.save();
		expect(only.tells('A', 'B', 'A')).toEqual([false, true, true]);
	});

	it('drops an update only when the one before it said the same, however deliveries overlap', () => {
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
					expect(taken?.tells(recordId, text)).toBe(last.get(recordId) !== text);
					last.set(recordId, text);
					if (taken) unsaved.push({ due: time + savedLater, save: taken.save });
					while (unsaved[0] && unsaved[0].due <= time) unsaved.shift()?.save();
				});
			}),
			{ numRuns: amount(50, 200) },
		);
	});
});

describe('several processes', () => {
	it('lose none either when one has stored since the other began', () => {
		const database = new Database();
		const one = new Process(database).activate();
		one.tells('A');
		const other = new Process(database).activate();
		one.tells('B');
		expect(other.tells('A')).toEqual([true]);
	});

	it('drop nothing once they know of each other, whoever stores last', () => {
		const database = new Database();
		const one = new Process(database).activate();
		const other = new Process(database);
		for (const [process, text] of [
			[one, 'A'],
			[other, 'B'],
			[one, 'A'],
		] as const)
			process.tells(text);
		const [ofOne, ofOther] = [one.receive(), other.receive()];
		expect([ofOther.tells('1', 'B'), ofOne.tells('2', 'A')]).toEqual([true, true]);
		ofOther.save();
		ofOne.save();
		expect([...one.tells('A'), ...other.tells('A'), ...one.tells('A')]).not.toContain(false);
	});

	it('drop an update only when the one before it said the same', () => {
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
					if (processes[index]?.tells(text)[0] === false) expect(text).toBe(last);
					last = text;
				}
			}),
			{ numRuns: amount(50, 200) },
		);
	});
});
