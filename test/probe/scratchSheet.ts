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

/** Names of the fields that the probe uses. The scratch sheet should have all of them. */
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

/** Traces that the probe may have left on the sheet. */
export interface Leftovers {
	/** Addresses of records that exist or may exist, each with the reason. */
	addresses: string[];
	/** Failed checks for remaining records. */
	unknown: string[];
}

/** Parameter that prevents notifications about writes. */
const quiet = '&notification=false';

/** Thrown if a question cannot be asked. The message is the reason. */
export class NotAsked extends Error {}

export interface OwnRecord {
	id: string;
	/** Response to the create request. */
	answer: ServiceAnswer;
}

/** The sheet that the probe uses, and the records that it created there. The probe never changes other records. */
export class ScratchSheet {
	/** Text in the mark field of every record of this run. `markText` adds non-ASCII characters. */
	private readonly marker = `sheet-records-probe-${randomBytes(6).toString('hex')}`;

	private readonly ownIds = new Set<string>();

	/** Number of create requests with an unknown outcome. */
	private lostCreations = 0;

	private shared: Promise<OwnRecord> | undefined;

	private known: Promise<Map<string, string>> | undefined;

	constructor(
		readonly client: ProbeClient,
		/** Folder path and sheet number. */
		readonly path: string,
		private readonly input: ReadonlyMap<FieldKind, string>,
		readonly mayWrite: boolean,
		/** Body of a saved webhook delivery. */
		readonly delivery?: string,
	) {}

	get markText(): string {
		return `${this.marker} ü 日本`;
	}

	/** Returns the ID of a field, given by the user or found by its name. Throws NotAsked if the field is unknown. */
	async field(kind: FieldKind): Promise<string> {
		const id = this.input.get(kind) ?? (await this.fieldIdsByName()).get(fieldNames[kind]);
		if (id !== undefined) return id;
		throw new NotAsked(
			`no field “${fieldNames[kind]}” was found (or give --field ${kind}=<field id>)`,
		);
	}

	async hasField(kind: FieldKind): Promise<boolean> {
		return this.input.has(kind) || (await this.fieldIdsByName()).has(fieldNames[kind]);
	}

	async list(query: string): Promise<ServiceAnswer> {
		return await this.client.get(this.path, `api&naming=EID&${query}`);
	}

	/** Returns the newest records. If writing is allowed, they include a record of the probe. */
	async newest(parameters = ''): Promise<Map<string, Members>> {
		if (this.mayWrite) await this.ownRecord();
		const answer = await this.list(`limit=100&order=105,DESC${parameters}`);
		const records = recordsOf(answer);
		if (records) return records;
		throw new NotAsked(`the sheet could not be read: ${inWords(answer)}`);
	}

	/** Returns the ID and content of any record. */
	async sample(): Promise<[id: string, record: Members]> {
		const records = this.mayWrite ? await this.readOwn() : await this.newest();
		for (const entry of records) return entry;
		throw new NotAsked('the sheet has no record');
	}

	/** Returns a value of the field from any record. Throws NotAsked if no record has a value. */
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

	/** Returns a record of the probe that all read-only questions share. */
	async ownRecord(): Promise<OwnRecord> {
		return await (this.shared ??= this.newRecord());
	}

	/** Creates a record for one question. */
	async newRecord(values: ReadonlyArray<[FieldKind, string]> = []): Promise<OwnRecord> {
		const answer = await this.create(values);
		const id = createdId(answer);
		if (id !== undefined) return { id, answer };
		throw new NotAsked(`no record could be made: ${inWords(answer)}`);
	}

	/** Sends a create request for a marked record. Returns the response, even if it is an error. */
	async create(values: ReadonlyArray<[FieldKind, string]> = []): Promise<ServiceAnswer> {
		this.demandWriting();
		const body = new URLSearchParams([[await this.field('mark'), this.markText]]);
		const allValues: Array<[FieldKind, string]> = [
			['number', '12.50'],
			['choices', 'One'],
			['row', `${this.marker} row`],
			...values,
		];
		for (const [kind, text] of allValues) {
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
		parameters = '',
	): Promise<ServiceAnswer> {
		const body = values instanceof FormData ? values : new URLSearchParams(values);
		return await this.client.send('POST', this.ownPath(id), `api${quiet}${parameters}`, body);
	}

	async act({ id }: OwnRecord, method: 'POST' | 'DELETE', parameters = ''): Promise<ServiceAnswer> {
		return await this.client.send(method, this.ownPath(id), `api${parameters}`);
	}

	/** Reads a record of the probe; by default the shared record. */
	async readOwn(record?: OwnRecord, parameters = ''): Promise<Map<string, Members>> {
		const { id } = record ?? (await this.ownRecord());
		const answer = await this.client.get(`${this.path}/${id}`, `api&naming=EID${parameters}`);
		const records = recordsOf(answer);
		if (records) return records;
		throw new NotAsked(`the probe’s own record could not be read: ${inWords(answer)}`);
	}

	/** Returns the value of a field in a record of the probe. */
	async ownValue(record: OwnRecord, kind: FieldKind): Promise<unknown> {
		const found = (await this.readOwn(record)).get(record.id);
		return found?.[await this.field(kind)];
	}

	/** Submits a mass operation for a record of the probe. Tries the bodies until the service accepts one. */
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

	/** Returns the records that a filter by the mark of this run finds. */
	async findByMark(): Promise<Map<string, Members>> {
		const where = `${await this.field('mark')},eq,${encodeURIComponent(this.markText)}`;
		return recordsOf(await this.list(`limit=100&where=${where}`)) ?? new Map();
	}

	/**
	 * Deletes every record of this run, including records found only by their mark, because the outcome of their creation was
	 * unknown. Reads each record afterwards, and returns all records that may still exist.
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

	/** Fetches the fields from the definition of the sheet, or from its schema. More users may read the definition. */
	private async discoverFields(): Promise<Map<string, string>> {
		const ids = new Map<string, string>();
		collectFields(jsonOf(await this.client.get(this.path, 'api&def')), ids);
		if (ids.size === 0) {
			collectFields(jsonOf(await this.client.get(`${this.path}/metadata/schema`, 'api')), ids);
		}
		return ids;
	}
}

/** Returns the response, or the reason if there was no response. */
async function attempt(asking: Promise<ServiceAnswer>): Promise<ServiceAnswer | string> {
	return await asking.catch((error: unknown) => {
		if (error instanceof NoAnswer) return error.message;
		throw error;
	});
}

function messageOf(answer: ServiceAnswer | string): string {
	return typeof answer === 'string' ? answer : inWords(answer);
}
