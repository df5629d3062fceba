import type { Client } from '../../http/client';
import { accessRefusals, fallbackTo } from '../../http/serviceError';
import { getOrLoad } from '../../json/objects';
import { plainReadOptions } from '../../read/readOptions';
import { listPage, recordsIn } from '../../read/records';
import { fromServiceDate } from '../../values/dates';
import { numberForm, switchForm } from '../../values/normalForm';
import type { SheetAddress } from '../../values/sheetAddress';
import { sheetMemory } from '../sources/sheetMemory';
import { kindNamed } from './valueKinds';
import { scalarTextOf } from './valueChecks';
import type { ValueKind } from './valueKind';

/** A text by which records with another spelling of a value are found, and the kind of field in which both are the same value. */
interface Spelling {
	kind: ValueKind;
	text: string;
}

/** Maximum number of records that are read to find a record that is equal by value. */
const maxComparedRecords = 5;

/**
 * Returns a text for each kind of field in which a value may have another spelling. If the service finds a record with yet another
 * text by it, the field is of that kind. Empty if the value is equal to identical texts only.
 *
 * - Numbers and words of a checkbox: a spelling that people hardly ever enter, because the first records may all have the usual one.
 * - Dates: the value itself, because the service returns all dates of a field in one form.
 */
export function otherSpellings(value: string): Spelling[] {
	const spellings: Spelling[] = [];
	const number = numberForm(value);
	if (number !== undefined) {
		const text = `${number}${number.includes('.') ? '' : '.'}000000`;
		spellings.push({ kind: kindNamed('number'), text });
	}
	const word = value === '1' || value === '0' ? String(value === '1') : switchForm(value);
	if (word !== undefined) {
		spellings.push({ kind: kindNamed('checkbox'), text: word === 'true' ? 'yEs' : 'nO' });
	}
	const isDate = fromServiceDate(value) !== undefined;
	if (isDate) spellings.push({ kind: kindNamed('dateTime'), text: value });
	return spellings;
}

/**
 * Returns the kind by which `eq` of the service compares a field of unknown type with a value: as numbers, dates or checkbox words
 * if the service finds a record with another spelling of the value, otherwise as texts. Costs at most one request per run and field
 * for values that are looked for by the same texts, as all words of a checkbox that mean yes. Throws ServiceError.
 */
export async function kindOfEquality(
	client: Client,
	sheet: SheetAddress,
	fieldId: string,
	value: string,
): Promise<ValueKind> {
	const spellings = otherSpellings(value);
	if (spellings.length === 0) return kindNamed('text');
	const known = sheetMemory(client, sheet).comparedKinds;
	const texts = spellings.map(({ text }) => text);
	return await getOrLoad(known, [fieldId, ...texts].join('\n'), async () => {
		const found = await textsFound(client, sheet, fieldId, texts);
		const isEqual = ({ kind, text }: Spelling) =>
			found.some((stored) => !texts.includes(stored) && kind.isFoundBy(stored, text));
		return spellings.find(isEqual)?.kind ?? kindNamed('text');
	});
}

/** Returns the texts of a field in the first records that `eq` of the service finds by one of the texts. */
async function textsFound(
	client: Client,
	sheet: SheetAddress,
	fieldId: string,
	texts: readonly string[],
): Promise<string[]> {
	const reading = { ...plainReadOptions('EID'), fields: [fieldId] };
	const where = texts.map((value) => ({ fieldId, operator: 'eq', value }));
	const range = { offset: 0, limit: maxComparedRecords };
	const page = listPage(client, { sheet, where, reading }, range, recordsIn);
	// A field of another kind may refuse the value. It is then equal to no other spelling.
	const records = await page.catch(fallbackTo([], ...accessRefusals));
	const values = records.flatMap(({ content }) => [content.get(fieldId)].flat());
	return values.flatMap((value) => scalarTextOf(value) ?? []);
}
