import { writeJson } from '../../service/json';
import { SigningKey } from '../../service/webhooks/signingKey';

export type Event = 'CREATE' | 'UPDATE' | 'DELETE';
export type Content = Record<string, string>;
/** An entry of the service's journal. */
export interface Delivery {
	event: Event;
	records: Array<{ id: string; content: Content }>;
}
/** Format of the records in a delivery: a list, an object keyed by ID, or a list in which only `ragicId` contains the ID. */
export type DataForm = 'list' | 'byId' | 'ragicId';
/** Fault of the service: no answers, empty answers, or lists with their first entry only. */
export type Trouble = 'outage' | 'empty' | 'cut' | undefined;

export const [status, remark] = ['1000001', '1000002'];
export const isOpen = ({ [status]: text }: Content) => text === 'Open';

/** A service with one sheet: changes by users, their deliveries, and the answers to requests. */
export class SimulatedService {
	readonly key = new SigningKey();
	readonly sheet = new Map<string, Content>();
	private readonly bin = new Map<string, Content>();
	/** Changes that have not been delivered yet. */
	readonly outbox: Delivery[] = [];
	trouble: Trouble;
	private count = 0;
	/** Names of each field, the current name last. */
	private readonly names = new Map([status, remark].map((id) => [id, [`Field ${id}`]]));

	/** Current name of the field. */
	nameOf(id: string): string {
		return this.names.get(id)?.at(-1) ?? id;
	}

	/** Returns the ID of the field with this current or former name. */
	fieldCalled(name: string): string | undefined {
		return [...this.names].find(([, names]) => names.includes(name))?.[0];
	}

	rename(at: number): void {
		const id = at < 0.7 ? status : remark;
		const names = this.names.get(id) ?? [];
		names.push(`Field ${id} of ${names.length}`);
	}

	change(kind: string, at: number): void {
		const from = kind === 'restore' ? this.bin : this.sheet;
		const ids = [...from.keys()];
		const id = kind === 'create' ? String(++this.count) : ids[Math.floor(at * ids.length)];
		if (id === undefined) return;
		const isNext = Math.floor(at * 1_000) % 2 === 0;
		const before = from.get(id) ?? { _svcId: id, [status]: isNext ? 'Open' : 'New', [remark]: '' };
		const edits = isNext
			? { [status]: isOpen(before) ? 'Shipped' : 'Open' }
			: { [remark]: `r${at}` };
		from.delete(id);
		if (kind === 'delete') this.bin.set(id, before);
		else this.sheet.set(id, kind === 'edit' ? { ...before, ...edits } : before);
		if (kind === 'mass') {
			for (const [each, content] of this.sheet)
				this.sheet.set(each, { ...content, [remark]: `m${at}` });
		}
		const changed = kind === 'mass' ? [...this.sheet.keys()] : [id];
		const event =
			kind === 'delete' ? 'DELETE' : ['create', 'restore'].includes(kind) ? 'CREATE' : 'UPDATE';
		const contentOf = (each: string) => ({ ...(this.sheet.get(each) ?? before) });
		const records = changed.map((each) => ({ id: each, content: contentOf(each) }));
		this.outbox.push({ event, records });
	}

	bodyOf({ event, records }: Delivery, form: DataForm): string {
		const contents = records.map(({ id, content }): [string, Content] => {
			if (form !== 'ragicId') return [id, content];
			const fields: Content = { ...content, ragicId: id };
			delete fields._svcId;
			return [id, fields];
		});
		const list = contents.map(([, content]) => content);
		const signed = form === 'byId' ? Object.fromEntries(contents) : list;
		const signature = this.key.sign(writeJson(signed, JSON.stringify, true), 'base64');
		// `JSON.stringify` of an object would sort the IDs.
		const members = contents.map(([id, content]) => `"${id}":${JSON.stringify(content)}`);
		const data = form === 'byId' ? `{${members.join()}}` : JSON.stringify(list);
		const address = { apname: 'acme', path: '/sales', sheetIndex: 1 };
		return `{"data":${data},${JSON.stringify({ ...address, eventType: event, signature }).slice(1)}`;
	}

	async answer({ pathname, searchParams }: URL) {
		if (this.trouble === 'outage')
			return await Promise.resolve({ statusCode: 503, headers: {}, body: '' });
		return { statusCode: 200, headers: {}, body: this.answerText(pathname, searchParams) };
	}

	private answerText(pathname: string, query: URLSearchParams): string {
		if (pathname.endsWith('PublicKey.jsp')) return this.key.der;
		if (pathname.endsWith('/schema')) {
			const field = (id: string) => ({ fieldId: id, fieldName: this.nameOf(id), type: 'text' });
			return JSON.stringify({ sheet: {}, fields: [status, remark].map(field), subtables: [] });
		}
		const [, recordId] = /\/1\/(\d+)$/.exec(pathname) ?? [];
		const newest = [...this.sheet].reverse();
		const offset = Number(query.get('offset') ?? 0);
		const page = newest.slice(offset, offset + Number(query.get('limit') ?? 1_000));
		const isCut = recordId === undefined && this.trouble === 'cut';
		const found = recordId === undefined ? page : newest.filter(([id]) => id === recordId);
		const visible = this.trouble === 'empty' ? [] : found.slice(0, isCut ? 1 : undefined);
		return `{${visible.map(([id, content]) => `"${id}":${JSON.stringify(content)}`).join()}}`;
	}
}
