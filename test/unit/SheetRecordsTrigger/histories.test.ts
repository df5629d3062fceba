import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { amount } from '../../amount';
import { timeLimit } from '../../timeLimit';
import { clearProcessState } from '../../../nodes/api/http/processState';
import { receiveDelivery } from '../../../nodes/SheetRecordsTrigger/receiveDelivery';
import { fakeContext } from './fakeContext';
import { isOpen, SimulatedService, status, remark } from './simulatedService';
import type { Content, Delivery, Event, Trouble } from './simulatedService';
import { registration } from '../../../nodes/SheetRecordsTrigger/registration';

jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	// Longer ones are limits of how long others may take.
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
}
/** What the node last saw of a record. */
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
	| { kind: 'send' | 'rotate' | 'restart' | 'lose' }
	| { kind: 'replay' | 'forge'; at: number }
	| { kind: 'pass'; seconds: number }
	| { kind: 'trouble'; trouble: Trouble }
>;

/** A sheet whose changes are delivered to a node, the service's journal of them, and what of it has to come. */
class History {
	private readonly service = new SimulatedService();
	private readonly sent: Array<{ delivery: Delivery; body: string }> = [];
	private readonly seen = new Map<string, Seen>();
	/** When posts were that may have cost a request for the key. */
	private readonly keyRequests: number[] = [];
	/** When the key could not be had: without one it is asked for every five seconds. */
	private failedAt = 0;
	private staticText = '{}';
	private now = 1_700_000_000_000;

	constructor(private readonly setup: Setup) {
		clearProcessState();
		jest.spyOn(Date, 'now').mockImplementation(() => this.now);
		jest.spyOn(performance, 'now').mockImplementation(() => this.now);
	}

	async happen(step: Step): Promise<void> {
		this.now += 1_000;
		if (step.kind === 'pass') this.now += step.seconds * 1_000;
		if (step.kind === 'rotate') this.service.key.rotate();
		if (step.kind === 'trouble') this.service.trouble = step.trouble;
		if (step.kind === 'lose') this.service.outbox.shift();
		if (step.kind === 'restart') {
			clearProcessState();
			await this.activate();
		}
		if ('isHeld' in step) this.service.change(step.kind, step.at);
		while (step.kind === 'send' || ('isHeld' in step && !step.isHeld)) {
			const delivery = this.service.outbox.shift();
			if (!delivery) break;
			const body = this.service.bodyOf(delivery);
			this.sent.push({ delivery, body });
			await this.post(delivery, body, true);
		}
		if (step.kind === 'replay' || step.kind === 'forge') {
			const chosen = this.sent[Math.floor(step.at * this.sent.length)];
			if (chosen && step.kind === 'replay') await this.post(chosen.delivery, chosen.body, false);
			if (chosen && step.kind === 'forge') await this.forge(chosen.body);
		}
	}

	private async forge(body: string): Promise<void> {
		const before = this.staticText;
		const items = await this.receive(body.replace('"data":[', '"data":[{"_svcId":"1"},'));
		this.keyRequests.push(this.now);
		if (this.service.trouble === 'outage') this.failedAt = this.now;
		demand('a forged delivery', items, undefined);
		demand('what it left', this.staticText, before);
	}

	private async post(delivery: Delivery, body: string, isFresh: boolean): Promise<void> {
		const recent = this.keyRequests.filter((at) => this.now - at < 300_000).length;
		const items = await this.receive(body);
		this.keyRequests.push(...(items && this.service.trouble !== 'outage' ? [] : [this.now]));
		if (!items) {
			// Signed with a key that was changed since; or the new one cannot be had, which the page names.
			if (this.service.trouble === 'outage') this.failedAt = this.now;
			const isExcused = !isFresh || recent >= 4 || this.now - this.failedAt <= 5_000;
			if (!isExcused) demand('a genuine delivery', 'refused', 'taken');
			return;
		}
		if (this.setup.fetchRecord) return this.checkFetched(delivery, items);
		demand(`items of ${body}`, items.map(shortOf), this.expected(delivery));
	}

	/** What the sheet holds comes, whatever the delivery says; what cannot be read comes as it was delivered. */
	private checkFetched({ event, records }: Delivery, items: IDataObject[]): void {
		const isDeletion = event === 'DELETE';
		const isRepeat = this.noteSent({ event, records });
		const isDropped = (isRepeat && this.setup.skipRepeats) || !this.setup.events.includes(event);
		const due = records.filter(({ id }) => !isDropped && this.service.sheet.has(id) !== isDeletion);
		// A service that finds nothing at all may be in trouble, too.
		const isDoubtful = this.service.trouble !== undefined || this.service.sheet.size === 0;
		const came = new Map(items.map((item) => [String(item.recordId), item]));
		const lost = due.filter(({ id }) => !came.has(id));
		demand('lost', lost, []);
		for (const [id, item] of came) {
			if (item.unreadable !== undefined && isDoubtful) continue;
			const held = this.service.sheet.get(id);
			const isTrue = isDeletion ? !held || isDoubtful : held !== undefined;
			if (!isTrue) demand('false', shortOf(item), '');
			if (!isDeletion) demand('what the sheet holds', fieldsIn(item.record), fieldsIn(held));
		}
	}

	/** Returns whether all of a delivery was said within five minutes, and notes it. */
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

	/** What the delivery of a journal's entry has to give, by what the pages say. */
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
			const told = event === 'UPDATE' && isWatching ? ` ${status}<${before ?? ''}` : '';
			return isChosen && isOther && !isUnchanged ? [`${event} ${id} ${text}${told}`] : [];
		});
	}

	async activate(): Promise<void> {
		const trouble = this.service.trouble;
		this.service.trouble = undefined;
		const staticData: IDataObject = JSON.parse(this.staticText);
		await registration.checkExists.call(this.context(staticData, '', () => {}));
		this.staticText = JSON.stringify(staticData);
		this.service.trouble = trouble;
	}

	/** Returns the items of a request to the node; undefined when it is refused. */
	private async receive(body: string): Promise<IDataObject[] | undefined> {
		const staticData: IDataObject = JSON.parse(this.staticText);
		let answered = 0;
		const context = this.context(staticData, body, (code) => (answered = code));
		const { workflowData = [] } = await receiveDelivery(context);
		this.staticText = JSON.stringify(staticData);
		return answered === 200 ? workflowData.flat().map(({ json }) => json) : undefined;
	}

	private context(staticData: IDataObject, body: string, onAnswer: (status: number) => void) {
		const { events, isWatching, isFiltered, ...options } = this.setup;
		const filter = { field: status, operator: 'eq', value: 'Open' };
		const parameters: IDataObject = {
			authentication: 'apiKey',
			sheet: { __rl: true, mode: 'path', value: 'sales/1' },
			...{ registration: 'manual', verification: 'require', publicKeySource: 'service' },
			...{ events, watchFields: isWatching ? [status] : [] },
			filters: isFiltered ? { conditions: [filter] } : {},
			options: { ...options, fieldKeys: 'id' },
		};
		const answer = async (url: URL) => await this.service.answer(url);
		return fakeContext({ parameters, staticData, body, onAnswer, answer });
	}
}

function fieldsIn(content: unknown): string {
	const { [status]: state, [remark]: text }: Content = Object(content);
	return `${state}/${text}`;
}

function shortOf({ event, recordId, record, changedFields, previous }: IDataObject): string {
	const told = Array.isArray(changedFields)
		? ` ${changedFields.join()}<${Object.values(Object(previous)).join()}`
		: '';
	return `${String(event)} ${String(recordId)} ${fieldsIn(record)}${told}`;
}

/** Jest's `expect` would take most of the time. */
function demand(what: string, found: unknown, wanted: unknown): void {
	const [left, right] = [JSON.stringify(found), JSON.stringify(wanted)];
	if (left !== right) throw new Error(`${what}: ${left}, not ${right}`);
}

const at = fc.double({ min: 0, max: 0.999, noNaN: true });
const change = fc.record({
	kind: fc.constantFrom('create', 'edit', 'edit', 'edit', 'resave', 'mass', 'delete', 'restore'),
	at,
	isHeld: fc.nat(4).map((number) => number === 0),
});
const other = fc.oneof(
	fc.record({ kind: fc.constantFrom('replay', 'replay', 'forge'), at }),
	fc.record({ kind: fc.constantFrom('send', 'send', 'rotate', 'restart', 'restart', 'lose') }),
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

// One test is hundreds of histories, thousands where time is given.
jest.setTimeout(timeLimit(amount(60, 600)));

it('whatever happens to service and n8n, each entry of the journal gives its items once, and nothing else does', async () => {
	await fc.assert(
		fc.asyncProperty(setups, events, steps, async (setup, chosen, happenings) => {
			const history = new History({ ...setup, events: chosen });
			await history.activate();
			for (const each of happenings) await history.happen(each);
		}),
		{ numRuns: amount(300, 10_000), seed: Number(process.env.SHEET_RECORDS_SEED ?? 1) },
	);
});
