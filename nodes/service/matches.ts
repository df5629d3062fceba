import type { JsonValue } from '../wire/orderedJson';
import type { SheetRecord } from '../wire/record';
import { inputError } from '../wire/serviceError';
import type { SheetAddress } from '../wire/sheetAddress';
import { withoutTrailing } from '../wire/text';
import { whereParameter } from '../wire/where';
import type { WhereCondition } from '../wire/where';
import type { Client } from './client';
import { listPages } from './pages';
import { plainReading } from './plainReading';

/** The values that a record must hold, one for each of the match fields. */
export type MatchKey = readonly string[];

/** Keys that are asked for together, and the ids that were found for each, once they are. */
interface Batch {
	keys: readonly MatchKey[];
	found?: Promise<Map<string, string[]>>;
}

/** A key as far as it is compared with records: to the letter, and in the normal form of each value. */
interface BatchKey {
	key: MatchKey;
	text: string;
	forms: string[];
}

/** A record as far as it is compared with keys. */
interface FoundRecord {
	id: string;
	/** Its values to the letter, together and one by one. */
	text: string;
	values: string[];
	/** The normal forms of each value; a multiple selection has one for each choice. */
	forms: string[][];
}

/** Servers and proxies on the way accept addresses of about 8,000 characters. */
const longestConditions = 7_000;

/**
 * Finds existing records for many keys with few requests: the service combines several `eq` on one
 * field with OR, and different fields with AND (specification, filter rules 6 and 8). A batch is asked
 * for when the first of its keys is.
 *
 * A record whose values equal a key to the letter is its match. What else the service calls equal, such
 * as other capitals or 5.00 for 5, counts for a key that has no such record. Where it is not plain which
 * key such a record was found for, the keys in question are asked for in smaller batches.
 */
export class Matches {
	private readonly batches = new Map<string, Batch>();
	private readonly created = new Map<string, string[]>();
	/** Normal forms of the keys that a record was, or may have been, created for. */
	private readonly attempted = new Set<string>();

	/** @param keys every key that will be asked for */
	constructor(
		private readonly client: Client,
		private readonly sheet: SheetAddress,
		private readonly fieldIds: readonly string[],
		keys: readonly MatchKey[],
	) {
		for (const batch of this.packed(keys)) {
			const shared: Batch = { keys: batch };
			for (const key of batch) this.batches.set(keyText(key), shared);
		}
	}

	/**
	 * The ids of the records that match a key, in the order of the service, those created since included.
	 *
	 * @throws ServiceError; of kind `input` when a value of the key is empty, or of blanks, which the service
	 *   takes for empty: it would match every record whose field is empty
	 */
	async recordIds(key: MatchKey): Promise<string[]> {
		this.requireValues(key);
		const text = keyText(key);
		const batch = this.batches.get(text) ?? { keys: [key] };
		this.batches.set(text, batch);
		batch.found ??= this.lookUp(batch.keys);
		const found = (await batch.found).get(text) ?? [];
		const recordIds = [...found, ...(this.created.get(text) ?? [])];
		if (recordIds.length > 0 || !this.attempted.has(normalText(key))) return recordIds;
		return (await this.lookUp([key])).get(text) ?? [];
	}

	/** To be called before a record is created: what was found is out of date for alike keys from now on. */
	beginCreation(key: MatchKey): void {
		this.attempted.add(normalText(key));
	}

	/** Remembers a new record: the service may take a while until its filters find it. */
	addCreated(key: MatchKey, recordId: string): void {
		const text = keyText(key);
		this.created.set(text, [...(this.created.get(text) ?? []), recordId]);
	}

	/** Batches of different keys whose conditions fit into one address. */
	private packed(keys: readonly MatchKey[]): MatchKey[][] {
		const batches: MatchKey[][] = [];
		const packed = new Set<string>();
		let room = 0;
		for (const key of keys) {
			if (packed.has(keyText(key)) || key.some(isEmptyValue)) continue;
			packed.add(keyText(key));
			const length = this.conditions([key]).map(whereParameter).join('&').length + 1;
			if (length > room) {
				batches.push([]);
				room = longestConditions;
			}
			batches[batches.length - 1]?.push(key);
			room -= length;
		}
		return batches;
	}

	private async lookUp(batch: readonly MatchKey[]): Promise<Map<string, string[]>> {
		const records = (await this.read(this.conditions(batch))).map((record) => this.found(record));
		const ids = new Map(batch.map((key): [string, string[]] => [keyText(key), []]));
		for (const { id, text } of records) ids.get(text)?.push(id);

		const keys = batch.map((key) => ({ key, text: keyText(key), forms: key.map(normalForm) }));
		const open = keys.filter(({ text }) => ids.get(text)?.length === 0);
		const strays = records.filter(({ text }) => !ids.has(text));
		for (const key of open) {
			const isFoundAlone = keys.length === 1 && !key.forms.includes('');
			const matches = isFoundAlone ? strays : strays.filter((stray) => isAlike(stray, key));
			ids.set(
				key.text,
				matches.map(({ id }) => id),
			);
		}
		if (keys.length === 1 || open.length === 0) return ids;
		for (const part of halves(undecided(records, keys, open))) {
			for (const [text, partIds] of await this.lookUp(part)) ids.set(text, partIds);
		}
		return ids;
	}

	private conditions(keys: readonly MatchKey[]): WhereCondition[] {
		return this.fieldIds.flatMap((fieldId, index) =>
			[...new Set(keys.map((key) => key[index] ?? ''))].map((value) => ({
				fieldId,
				operator: 'eq',
				value,
			})),
		);
	}

	private async read(where: WhereCondition[]): Promise<SheetRecord[]> {
		const request = { sheet: this.sheet, where, parameters: plainReading('EID') };
		const records: SheetRecord[] = [];
		for await (const page of listPages(this.client, request, Infinity, 0)) records.push(...page);
		return records;
	}

	private requireValues(key: MatchKey): void {
		const empty = this.fieldIds.find((_, index) => isEmptyValue(key[index] ?? ''));
		if (empty === undefined) return;
		throw inputError(
			`The field ${empty} to match on has no value in this item`,
			'Give each item a value for every field to match on.',
		);
	}

	private found({ id, content }: SheetRecord): FoundRecord {
		const contents = this.fieldIds.map((fieldId) => content.get(fieldId));
		const values = contents.map(valueText);
		return { id, text: keyText(values), values, forms: contents.map(normalForms) };
	}
}

/**
 * The keys without a record to the letter of which a batch does not tell whether the service found one for
 * them: a record is alike several keys, or alike none although it was found, or its values may have been
 * found for different keys.
 */
function undecided(
	records: readonly FoundRecord[],
	keys: readonly BatchKey[],
	open: readonly BatchKey[],
): BatchKey[] {
	const doubtful = new Set<BatchKey>();
	for (const record of records) {
		const alike = keys.filter((key) => isAlike(record, key));
		if (alike.length === 0 && !isCombination(record, keys)) return [...open];
		const isPlain = alike.length === 1 && alike.every((key) => isFoundFor(record, key, keys));
		if (!isPlain) for (const key of alike) doubtful.add(key);
	}
	return open.filter((key) => doubtful.has(key));
}

/** OR within and AND across fields also find values of different keys together: those are no match. */
function isCombination(record: FoundRecord, keys: readonly BatchKey[]): boolean {
	return record.forms.every((forms, index) =>
		keys.some((key) => forms.includes(key.forms[index] ?? '')),
	);
}

/** Whether a record that is alike the key can have been found by the values of that key alone. */
function isFoundFor(record: FoundRecord, key: BatchKey, keys: readonly BatchKey[]): boolean {
	return record.forms.every((forms, index) => {
		const own = key.key[index];
		if (record.values[index] === own) return true;
		return !keys.some(
			(other) => other.key[index] !== own && forms.includes(other.forms[index] ?? ''),
		);
	});
}

/** What has no form, such as a lone accent, is like nothing: not like every empty field. */
function isAlike(record: FoundRecord, key: BatchKey): boolean {
	return record.forms.every((forms, index) => {
		const form = key.forms[index] ?? '';
		return form !== '' && forms.includes(form);
	});
}

function isEmptyValue(value: string): boolean {
	return value.trim() === '';
}

/** Two smaller batches, or one of a single key, with alike keys apart. */
function halves(keys: readonly BatchKey[]): MatchKey[][] {
	const sorted = keys
		.map(({ key, forms }) => ({ key, order: keyText(forms) }))
		.sort((left, right) => (left.order < right.order ? -1 : 1));
	return [0, 1]
		.map((half) => sorted.filter((_, index) => index % 2 === half).map(({ key }) => key))
		.filter(({ length }) => length > 0);
}

function keyText(key: MatchKey): string {
	return JSON.stringify(key);
}

function valueText(value: JsonValue | undefined): string {
	if (Array.isArray(value) && value.length === 1) return valueText(value[0]);
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}

function normalText(key: MatchKey): string {
	return keyText(key.map(normalForm));
}

function normalForms(value: JsonValue | undefined): string[] {
	const whole = normalForm(valueText(value));
	return Array.isArray(value)
		? [whole, ...value.map((one) => normalForm(valueText(one)))]
		: [whole];
}

/** Equal for texts that a service may well call equal: other capitals, accents, outer spaces, the same number, Yes and true. */
function normalForm(text: string): string {
	const form = text
		.normalize('NFKD')
		.replace(/\p{Mark}/gu, '')
		.trim()
		.toLowerCase();
	if (form === 'yes') return 'true';
	if (form === 'no') return 'false';
	if (!/^-?\d+(?:\.\d+)?$/.test(form)) return form;
	const unpadded = form.replace(/^(-?)0+(?=\d)/, '$1');
	return unpadded.includes('.') ? withoutTrailing(withoutTrailing(unpadded, '0'), '.') : unpadded;
}
