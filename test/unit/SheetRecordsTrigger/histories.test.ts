import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { amount, runs } from '../../amount';
import { timeLimit } from '../../timeLimit';
import { clearProcessState } from '../../../nodes/api/http/processState';
import { receiveDelivery } from '../../../nodes/SheetRecordsTrigger/receiveDelivery';
import { fakeContext } from './fakeContext';
import { isOpen, SimulatedService, status, remark } from './simulatedService';
import type { Content, DataForm, Delivery, Event, Trouble } from './simulatedService';
import { registration } from '../../../nodes/SheetRecordsTrigger/registration';

jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	// Longer sleeps are timeouts, so they never end.
	sleep: async (milliseconds: number) =>
		await new Promise<void>((resolve) => milliseconds > 60_000 || resolve()),
}));

interface Setup {
	events: Event[];
	fetchRecord: boolean;
	skipRepeats: boolean;
	skipUnchanged: boolean;
	isWatching: boolean;
	isFiltered: boolean;
	/** Whether filters and watched fields use names, and records are keyed by name. */
	isByName: boolean;
	/** Whether n8n restarts before each step. */
	isRestless: boolean;
	form: DataForm;
}
/** Last state of a record that the node received. */
interface Seen {
	event: string;
	sent: string;
	at: number;
	content?: string;
	status?: string;
}
type ChangeKind = 'create' | 'edit' | 'resave' | 'mass' | 'delete' | 'restore';
type Step = Readonly<
	| { kind: ChangeKind; at: number; isHeld: boolean }
	| { kind: 'send' | 'rotate' | 'restart' | 'publish' | 'lose' }
	| { kind: 'replay' | 'forge' | 'readdress' | 'empty' | 'rename'; at: number }
	| { kind: 'pass'; seconds: number }
	| { kind: 'trouble'; trouble: Trouble }
>;

/** Simulates a sheet whose changes are delivered to a node, and checks the node's items against the service's journal. */
class History {
	private readonly service = new SimulatedService();
	private readonly sent: Array<{ delivery: Delivery; body: string }> = [];
	private readonly seen = new Map<string, Seen>();
	/** Times of deliveries that may have cost a request for the key. */
	private readonly keyRequests: number[] = [];
	/** Time at which the key could not be fetched. Without a key, it is requested every five seconds. */
	private failedAt = 0;
	private staticText = '{}';
	private now = 1_700_000_000_000;
	/** Key of the field in filters and watched fields. */
	private givenName: string;

	constructor(private readonly setup: Setup) {
		this.givenName = this.nameToGive();
		clearProcessState();
		jest.spyOn(Date, 'now').mockImplementation(() => this.now);
		jest.spyOn(performance, 'now').mockImplementation(() => this.now);
	}

	async happen(step: Step): Promise<void> {
		// Pending requests must end before a large step in time.
		if (step.kind === 'pass') await requestsEnded();
		this.now += 1_000;
		if (step.kind === 'pass') this.now += step.seconds * 1_000;
		if (step.kind === 'rotate') this.service.key.rotate();
		if (step.kind === 'trouble') this.service.trouble = step.trouble;
		if (step.kind === 'lose') this.service.outbox.shift();
		if (step.kind === 'restart' || this.setup.isRestless) await this.restart();
		if (step.kind === 'publish') await this.publish();
		if (step.kind === 'rename') this.service.rename(step.at);
		if (step.kind === 'empty') await this.sendNothing(step.at);
		if ('isHeld' in step) this.service.change(step.kind, step.at);
		while (step.kind === 'send' || ('isHeld' in step && !step.isHeld)) {
			const delivery = this.service.outbox.shift();
			if (!delivery) break;
			const body = this.service.bodyOf(delivery, this.setup.form);
			this.sent.push({ delivery, body });
			await this.post(delivery, body, true);
		}
		if (!('at' in step)) return;
		const chosen = this.sent[Math.floor(step.at * this.sent.length)];
		if (chosen && step.kind === 'replay') await this.post(chosen.delivery, chosen.body, false);
		if (chosen && step.kind === 'forge') await this.forge(chosen.body);
		if (chosen && step.kind === 'readdress') await this.readdress(chosen.body, step.at);
	}

	private async forge(body: string): Promise<void> {
		const isById = this.setup.form === 'byId';
		const [start, more] = isById ? ['{', '"0":{},'] : ['[', '{"_svcId":"1"},'];
		await this.beRefused(body.replace(`"data":${start}`, `"data":${start}${more}`));
		this.keyRequests.push(this.now);
		if (this.service.trouble === 'outage') this.failedAt = this.now;
	}

	/** Sends a delivery of this sheet with the address of another sheet, which must be rejected. */
	private async readdress(body: string, at: number): Promise<void> {
		const otherAddresses = [
			['"path":"/sales"', '"path":"/sales/more"'],
			['"sheetIndex":1', '"sheetIndex":2'],
			['"apname":"acme"', '"apname":"other"'],
		] as const;
		const [address, other] =
			otherAddresses[Math.floor(at * 1_000) % otherAddresses.length] ?? otherAddresses[0];
		await this.beRefused(body.replace(address, other));
	}

	private async beRefused(body: string): Promise<void> {
		const before = this.staticText;
		demand(`a delivery to refuse: ${body}`, await this.receive(body), undefined);
		demand('what it left', this.staticText, before);
	}

	/** Sends a delivery without records, an empty list of IDs, and a delivery without a signature. */
	private async sendNothing(at: number): Promise<void> {
		const nothing: Delivery = { event: at < 0.5 ? 'UPDATE' : 'DELETE', records: [] };
		const body = this.service.bodyOf(nothing, at < 0.3 ? 'byId' : 'list');
		const kept = () => Object(JSON.parse(this.staticText)).recentDeliveries ?? '""';
		const before: unknown = kept();
		await this.post(nothing, body, false);
		demand('what nothing left', kept(), before);
		await this.beRefused('[]');
		await this.beRefused(body.replace(/"signature":".*?"/, '"signature":""'));
	}

	private async post(delivery: Delivery, body: string, isFresh: boolean): Promise<void> {
		const recent = this.keyRequests.filter((at) => this.now - at < 300_000).length;
		const items = await this.receive(body);
		this.keyRequests.push(...(items && this.service.trouble !== 'outage' ? [] : [this.now]));
		if (!items) {
			// Rejections are allowed if the signing key was changed since, or if the new key cannot be fetched, as
			// documented.
			if (this.service.trouble === 'outage') this.failedAt = this.now;
			const isExcused = !isFresh || recent >= 4 || this.now - this.failedAt <= 5_000;
			if (!isExcused) demand('a genuine delivery', 'refused', 'taken');
			return;
		}
		if (this.setup.fetchRecord) return this.checkFetched(delivery, items);
		const found = items.map((item) => this.shortOf(item));
		demand(`items of ${body}`, found, this.expected(delivery));
	}

	/**
	 * Checks the items of a node that fetches records. Items contain the stored record, or the delivered one if it cannot be
	 * read.
	 */
	private checkFetched({ event, records }: Delivery, items: IDataObject[]): void {
		const isDeletion = event === 'DELETE';
		const isRepeat = this.noteSent({ event, records });
		const isDropped = (isRepeat && this.setup.skipRepeats) || !this.setup.events.includes(event);
		const due = records.filter(({ id }) => !isDropped && this.service.sheet.has(id) !== isDeletion);
		// A service that finds no record at all may have a fault, too.
		const isDoubtful = this.service.trouble !== undefined || this.service.sheet.size === 0;
		const itemsById = new Map(items.map((item) => [String(item.recordId), item]));
		const lost = due.filter(({ id }) => !itemsById.has(id));
		demand('lost', lost, []);
		for (const [id, item] of itemsById) {
			if (item.unreadable !== undefined && isDoubtful) continue;
			const storedRecord = this.service.sheet.get(id);
			const isTrue = isDeletion ? !storedRecord || isDoubtful : storedRecord !== undefined;
			if (!isTrue) demand('false', this.shortOf(item), '');
			if (isDeletion) continue;
			demand('what the sheet holds', fieldsIn(this.byIds(item)), fieldsIn(storedRecord));
		}
	}

	/** Stores the delivery. Returns whether all of it was already delivered within five minutes. */
	private noteSent({ event, records }: Delivery): boolean {
		const isRepeat = records.every(({ id, content }) => {
			const { event: before, sent, at = 0 } = this.seen.get(id) ?? {};
			return before === event && sent === fieldsIn(content) && this.now - at < 300_000;
		});
		for (const { id, content } of isRepeat ? [] : records) {
			this.seen.set(id, { ...this.seen.get(id), event, sent: fieldsIn(content), at: this.now });
		}
		return isRepeat;
	}

	/** Returns the items that the delivery of a journal entry must yield, according to the documentation. */
	private expected(delivery: Delivery): string[] {
		const { events, skipRepeats, skipUnchanged, isWatching, isFiltered } = this.setup;
		const { event, records } = delivery;
		const isChosen = events.includes(event);
		if (this.noteSent(delivery) && isChosen && skipRepeats) return [];
		return records.flatMap(({ id, content }) => {
			const seen = this.seen.get(id) ?? { event, sent: '', at: 0 };
			const text = fieldsIn(content);
			const isUnchanged = event === 'UPDATE' && skipUnchanged && seen.content === text;
			seen.content = event === 'DELETE' ? undefined : text;
			if (isFiltered && !isOpen(content)) return [];
			const before = seen.status;
			seen.status = event === 'DELETE' ? undefined : content[status];
			const isOther = event !== 'UPDATE' || !isWatching || before !== content[status];
			const changedText = event === 'UPDATE' && isWatching ? ` ${status}<${before ?? ''}` : '';
			return isChosen && isOther && !isUnchanged ? [`${event} ${id} ${text}${changedText}`] : [];
		});
	}

	/** Publishes the workflow with the current field name, while the service answers. */
	async publish(): Promise<void> {
		const { trouble } = this.service;
		this.service.trouble = undefined;
		// The node loads a list of fields again for an unknown name only if the list is older than ten seconds.
		this.now += 11_000;
		this.givenName = this.nameToGive();
		await this.activate('activate');
		this.service.trouble = trouble;
	}

	/** Restarts n8n. */
	private async restart(): Promise<void> {
		clearProcessState();
		await this.activate('init');
	}

	private async activate(activation: 'activate' | 'init'): Promise<void> {
		const staticData: IDataObject = JSON.parse(this.staticText);
		await registration.checkExists.call(this.context(staticData, { activation }));
		this.staticText = JSON.stringify(staticData);
	}

	private nameToGive(): string {
		return this.setup.isByName ? this.service.nameOf(status) : status;
	}

	/** Delivers a body to the node. Returns its items, or undefined if the node rejects the body. */
	private async receive(body: string): Promise<IDataObject[] | undefined> {
		const staticData: IDataObject = JSON.parse(this.staticText);
		let answered = 0;
		const context = this.context(staticData, { body, onAnswer: (code) => (answered = code) });
		const { workflowData = [] } = await receiveDelivery(context);
		this.staticText = JSON.stringify(staticData);
		return answered === 200 ? workflowData.flat().map(({ json }) => json) : undefined;
	}

	private context(
		staticData: IDataObject,
		input: Partial<Pick<Parameters<typeof fakeContext>[0], 'activation' | 'body' | 'onAnswer'>>,
	) {
		const { events, isWatching, isFiltered, isByName, ...more } = this.setup;
		const options = { ...more, isRestless: undefined, form: undefined };
		const filter = { field: this.givenName, operator: 'eq', value: 'Open' };
		const parameters: IDataObject = {
			authentication: 'apiKey',
			sheet: { __rl: true, mode: 'path', value: 'sales/1' },
			...{ registration: 'manual', verification: 'require', publicKeySource: 'service' },
			...{ events, watchFields: isWatching ? [this.givenName] : [] },
			filters: isFiltered ? { conditions: [filter] } : {},
			options: { ...options, fieldKeys: isByName ? 'name' : 'id' },
		};
		const answer = async (url: URL) => await this.service.answer(url);
		return fakeContext({ parameters, staticData, body: '', onAnswer: () => {}, ...input, answer });
	}

	private shortOf(item: IDataObject): string {
		const { event, recordId, changedFields, previous } = item;
		const changedText = Array.isArray(changedFields)
			? ` ${changedFields.map((key) => this.idOf(String(key), item)).join()}<${Object.values(Object(previous)).join()}`
			: '';
		return `${String(event)} ${String(recordId)} ${fieldsIn(this.byIds(item))}${changedText}`;
	}

	/** Returns the record of an item, keyed by field ID. */
	private byIds(item: IDataObject): Content {
		const members = Object.entries<string>(Object(item.record));
		return Object.fromEntries(members.map(([key, value]) => [this.idOf(key, item), value]));
	}

	/** Returns the ID of the field with this current or former name. An ID in place of a name needs a warning in the item. */
	private idOf(key: string, { _warning }: IDataObject): string {
		const isId = [status, remark].includes(key);
		if (!this.setup.isByName || key.startsWith('_')) return key;
		if (isId) demand('an ID in place of a name is said', typeof _warning, 'string');
		return isId ? key : (this.service.fieldCalled(key) ?? key);
	}
}

function fieldsIn(content: unknown): string {
	const { [status]: state, [remark]: text }: Content = Object(content);
	return `${state}/${text}`;
}

/** Waits for requests in the background. The simulated service answers immediately. */
async function requestsEnded(): Promise<void> {
	await new Promise((resolve) => setImmediate(resolve));
}

/** Throws if the values differ. Jest's `expect` would take most of the time. */
function demand(what: string, found: unknown, expected: unknown): void {
	const [left, right] = [JSON.stringify(found), JSON.stringify(expected)];
	if (left !== right) throw new Error(`${what}: ${left}, not ${right}`);
}

const at = fc.double({ min: 0, max: 0.999, noNaN: true });
const change = fc.record({
	kind: fc.constantFrom('create', 'edit', 'edit', 'edit', 'resave', 'mass', 'delete', 'restore'),
	at,
	isHeld: fc.nat(4).map((number) => number === 0),
});
const other = fc.oneof(
	fc.record({ kind: fc.constantFrom('replay', 'replay', 'forge', 'readdress', 'empty'), at }),
	fc.record({ kind: fc.constantFrom('replay', 'rename', 'rename'), at }),
	fc.record({
		kind: fc.constantFrom('send', 'send', 'rotate', 'restart', 'restart', 'publish', 'lose'),
	}),
	fc.record({ kind: fc.constant('pass'), seconds: fc.constantFrom(1, 61, 400, 7_200) }),
	fc.record({
		kind: fc.constant('trouble'),
		trouble: fc.constantFrom('outage', 'empty', 'cut', undefined, undefined),
	}),
);
const step = fc.oneof({ weight: 3, arbitrary: change }, { weight: 2, arbitrary: other });
const steps = fc.array(step, { minLength: 5, maxLength: 40 }) as fc.Arbitrary<Step[]>;
const setups = fc
	.record({
		fetchRecord: fc.boolean(),
		skipRepeats: fc.boolean(),
		skipUnchanged: fc.boolean(),
		isWatching: fc.boolean(),
		isFiltered: fc.boolean(),
		isByName: fc.boolean(),
		isRestless: fc.nat(4).map((number) => number === 0),
		form: fc.constantFrom<DataForm[]>('list', 'list', 'byId', 'ragicId'),
	})
	.map((setup) => {
		const off = { skipUnchanged: false, isWatching: false, isFiltered: false };
		return setup.fetchRecord ? { ...setup, ...off } : setup;
	});
const events = fc.constantFrom<Event[][]>(
	['CREATE', 'UPDATE', 'DELETE'],
	['CREATE', 'UPDATE', 'DELETE'],
	['UPDATE'],
	['DELETE', 'CREATE'],
);

afterEach(() => jest.restoreAllMocks());

// The test runs hundreds of histories, or thousands in long runs.
jest.setTimeout(timeLimit(amount(60, 600)));

it('each change in the journal of the service yields its items exactly once, despite faults and restarts', async () => {
	await fc.assert(
		fc.asyncProperty(setups, events, steps, async (setup, chosen, happenings) => {
			const history = new History({ ...setup, events: chosen });
			await history.publish();
			for (const each of happenings) await history.happen(each);
			// Loading field names in the background must not continue into the next history.
			await requestsEnded();
		}),
		{ numRuns: runs(200, 1_000, 4_000), seed: Number(process.env.SHEET_RECORDS_SEED ?? 1) },
	);
});
