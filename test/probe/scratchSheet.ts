import { randomBytes } from 'node:crypto';
import {
	codeOf,
	collectFields,
	createdId,
	inWords,
	jsonOf,
	membersOf,
	recordsOf,
	type Members,
	type ServiceAnswer,
} from './answer';
import { NoAnswer, type ProbeClient } from './client';

/** What the scratch sheet should have: each field by the name that the probe looks for. */
export const fieldNames = {
	mark: 'Probe Mark',
	text: 'Probe Text',
	number: 'Probe Number',
	date: 'Probe Date',
	choice: 'Probe Choice',
	choices: 'Probe Choices',
	unique: 'Probe Unique',
	person: 'Probe Person',
	file: 'Probe File',
	row: 'Probe Row Text',
} as const;

export type FieldKind = keyof typeof fieldNames;

/** What the probe could not take away again. */
export interface Leftovers {
	/** Of records that are there, or may be, with the reason. */
	addresses: string[];
	/** What could not be found out. */
	unknown: string[];
}

/** Nobody is told of what the probe writes. */
const quiet = '&notification=false';

/** Why a question could not be asked. */
export class NotAsked extends Error {}

export interface OwnRecord {
	id: string;
	/** The answer to its creation. */
	answer: ServiceAnswer;
}

/** The sheet that the probe asks, and the records that it has made there: nothing else is ever changed. */
export class ScratchSheet {
	/** In the mark field of every record of this run; the rest of that text is there for its characters. */
	private readonly marker = `sheet-records-probe-${randomBytes(6).toString('hex')}`;

	private readonly ownIds = new Set<string>();

	/** Creations of which nobody knows whether they were done. */
	private lostCreations = 0;

	private shared: Promise<OwnRecord> | undefined;

	private known: Promise<Map<string, string>> | undefined;

	constructor(
		readonly client: ProbeClient,
		/** Folder path and number. */
		readonly path: string,
		private readonly given: ReadonlyMap<FieldKind, string>,
		readonly mayWrite: boolean,
		/** The body of a webhook that somebody has saved. */
		readonly delivery?: string,
	) {}

	get markText(): string {
		return `${this.marker} ü 日本`;
	}

	/** The id of a field: given by the user, or found by its name where the sheet tells its fields. */
	async field(kind: FieldKind): Promise<string> {
		const id = this.given.get(kind) ?? (await this.fieldIdsByName()).get(fieldNames[kind]);
		if (id !== undefined) return id;
		throw new NotAsked(
			`no field “${fieldNames[kind]}” was found (or give --field ${kind}=<field id>)`,
		);
	}

	async hasField(kind: FieldKind): Promise<boolean> {
		return this.given.has(kind) || (await this.fieldIdsByName()).has(fieldNames[kind]);
	}

	async list(query: string): Promise<ServiceAnswer> {
		return await this.client.get(this.path, `api&naming=EID&${query}`);
	}

	/** The newest records; the probe's own is among them when it may write. */
	async newest(more = ''): Promise<Map<string, Members>> {
		if (this.mayWrite) await this.ownRecord();
		const answer = await this.list(`limit=100&order=105,DESC${more}`);
		const records = recordsOf(answer);
		if (records) return records;
		throw new NotAsked(`the sheet could not be read: ${inWords(answer)}`);
	}

	/** Any one record: its id and content. */
	async sample(): Promise<[id: string, record: Members]> {
		const records = this.mayWrite ? await this.readOwn() : await this.newest();
		for (const entry of records) return entry;
		throw new NotAsked('the sheet has no record');
	}

	/** A value that some record has in the field. */
	async value(kind: FieldKind): Promise<unknown> {
		const id = await this.field(kind);
		const records = this.mayWrite ? await this.readOwn() : await this.newest();
		for (const record of records.values()) {
			const value = record[id];
			const isEmpty =
				value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
			if (!isEmpty) return value;
		}
		throw new NotAsked(`no record has a value in “${fieldNames[kind]}”`);
	}

	/** The record that questions share which leave no trace that others see. */
	async ownRecord(): Promise<OwnRecord> {
		return await (this.shared ??= this.newRecord());
	}

	/** A record for one question. */
	async newRecord(more: ReadonlyArray<[FieldKind, string]> = []): Promise<OwnRecord> {
		const answer = await this.create(more);
		const id = createdId(answer);
		if (id !== undefined) return { id, answer };
		throw new NotAsked(`no record could be made: ${inWords(answer)}`);
	}

	/** Creates a marked record, whatever comes of it. */
	async create(more: ReadonlyArray<[FieldKind, string]> = []): Promise<ServiceAnswer> {
		this.demandWriting();
		const body = new URLSearchParams([[await this.field('mark'), this.markText]]);
		const usual: Array<[FieldKind, string]> = [
			['number', '12.50'],
			['choices', 'One'],
			['row', `${this.marker} row`],
			...more,
		];
		for (const [kind, text] of usual) {
			if (!(await this.hasField(kind))) continue;
			const id = await this.field(kind);
			body.append(kind === 'row' ? `${id}_-1` : id, text);
		}
		this.lostCreations += 1;
		const answer = await this.client.send('POST', this.path, `api${quiet}`, body);
		const id = createdId(answer);
		const isRefused = codeOf(answer) !== undefined && codeOf(answer) !== 203;
		if (id !== undefined) this.ownIds.add(id);
		if (id !== undefined || isRefused) this.lostCreations -= 1;
		return answer;
	}

	async update(
		{ id }: OwnRecord,
		values: Record<string, string> | FormData,
		more = '',
	): Promise<ServiceAnswer> {
		const body = values instanceof FormData ? values : new URLSearchParams(values);
		return await this.client.send('POST', this.ownPath(id), `api${quiet}${more}`, body);
	}

	async act({ id }: OwnRecord, method: 'POST' | 'DELETE', more = ''): Promise<ServiceAnswer> {
		return await this.client.send(method, this.ownPath(id), `api${more}`);
	}

	/** Reads a record of its own, the shared one unless another is given. */
	async readOwn(record?: OwnRecord, more = ''): Promise<Map<string, Members>> {
		const { id } = record ?? (await this.ownRecord());
		const answer = await this.client.get(`${this.path}/${id}`, `api&naming=EID${more}`);
		const records = recordsOf(answer);
		if (records) return records;
		throw new NotAsked(`the probe’s own record could not be read: ${inWords(answer)}`);
	}

	/** What a record of its own holds in a field. */
	async ownValue(record: OwnRecord, kind: FieldKind): Promise<unknown> {
		const found = (await this.readOwn(record)).get(record.id);
		return found?.[await this.field(kind)];
	}

	/** Submits a mass operation for one record of its own, in the first shape that is accepted. */
	async submit(
		{ id }: OwnRecord,
		type: string,
		bodies: readonly Members[],
	): Promise<{ taskId: string | undefined; answer: ServiceAnswer }> {
		this.demandOwn(id);
		let answer: ServiceAnswer | undefined;
		for (const body of bodies) {
			answer = await this.client.send(
				'POST',
				`${this.path}/massOperation/${type}`,
				`api&recordId=${id}`,
				JSON.stringify(body),
			);
			const { taskId } = membersOf(answer);
			if (typeof taskId === 'string') return { taskId, answer };
		}
		if (!answer) throw new Error('There was no body to try.');
		return { taskId: undefined, answer };
	}

	/** Whether a record with the mark of this run is found by a filter. */
	async findByMark(): Promise<Map<string, Members>> {
		const where = `${await this.field('mark')},eq,${encodeURIComponent(this.markText)}`;
		return recordsOf(await this.list(`limit=100&where=${where}`)) ?? new Map();
	}

	/**
	 * Deletes every record of this run, those included that only the mark tells, after a creation whose outcome is
	 * unknown. Each is read afterwards: only what is gone for sure is not told.
	 */
	async cleanUp(): Promise<Leftovers> {
		const left: Leftovers = { addresses: [], unknown: [] };
		if (this.ownIds.size === 0 && this.lostCreations === 0) return left;
		const mark = await this.field('mark');
		const lists = [`where=${mark},like,${this.marker}&limit=1000`];
		if (this.lostCreations > 0) lists.push('order=105,DESC&limit=100');
		for (const query of lists) {
			const answer = await attempt(this.list(`${query}&subtables=0`));
			const found = typeof answer === 'string' ? undefined : recordsOf(answer);
			for (const [id, record] of found ?? []) {
				if (String(record[mark] ?? '').startsWith(this.marker)) this.ownIds.add(id);
			}
			if (found) continue;
			left.unknown.push(`records with its mark could not be looked for: ${messageOf(answer)}`);
		}
		for (const id of this.ownIds) {
			const deletion = await attempt(this.client.send('DELETE', this.ownPath(id), 'api'));
			const read = await attempt(this.client.get(this.ownPath(id), 'api&naming=EID'));
			const records = typeof read === 'string' ? undefined : recordsOf(read);
			const isMissing = typeof read !== 'string' && (codeOf(read) === 404 || read.status === 404);
			if (isMissing || records?.size === 0) continue;
			const why = records
				? `the deletion: ${messageOf(deletion)}`
				: `reading it: ${messageOf(read)}`;
			left.addresses.push(`${this.client.addressOf(this.ownPath(id))} (${why})`);
		}
		return left;
	}

	private ownPath(id: string): string {
		this.demandOwn(id);
		return `${this.path}/${id}`;
	}

	private demandOwn(id: string): void {
		this.demandWriting();
		if (!this.ownIds.has(id)) throw new Error(`Record ${id} was not made by the probe.`);
	}

	demandWriting(): void {
		if (!this.mayWrite) throw new NotAsked('it needs --write');
	}

	private async fieldIdsByName(): Promise<Map<string, string>> {
		return await (this.known ??= this.discoverFields());
	}

	/** By the sheet's definition, which more keys may read, and by its schema. */
	private async discoverFields(): Promise<Map<string, string>> {
		const ids = new Map<string, string>();
		collectFields(jsonOf(await this.client.get(this.path, 'api&def')), ids);
		if (ids.size === 0) {
			collectFields(jsonOf(await this.client.get(`${this.path}/metadata/schema`, 'api')), ids);
		}
		return ids;
	}
}

/** The answer, or why there was none. */
async function attempt(asking: Promise<ServiceAnswer>): Promise<ServiceAnswer | string> {
	return await asking.catch((error: unknown) => {
		if (error instanceof NoAnswer) return error.message;
		throw error;
	});
}

function messageOf(answer: ServiceAnswer | string): string {
	return typeof answer === 'string' ? answer : inWords(answer);
}
