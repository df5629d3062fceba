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

/** Another spelling of a value, and the kind of field in which both spellings are the same value. */
interface Spelling {
	kind: ValueKind;
	text: string;
}

/** Maximum number of records that are read to find a record that is equal by value. */
const maxRecords = 5;

/**
 * Returns spellings of a value that people hardly ever enter, for each kind of field in which the value has another spelling.
 * Empty if the value is equal to identical texts only.
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
	const date = dateSpelling(value);
	if (date !== undefined) spellings.push({ kind: kindNamed('dateTime'), text: date });
	return spellings;
}

/** Returns another spelling of a date or date-time in the service's format: with a time, or with or without seconds. */
function dateSpelling(value: string): string | undefined {
	if (fromServiceDate(value) === undefined) return undefined;
	const [day = '', time = '00:00'] = value.split(' ');
	const full = `${day} ${time.length === 5 ? `${time}:00` : time}`;
	// Never a day without a time: text fields and date fields both hold it.
	const text = full === value ? value.replace(/:00$/, '') : full;
	return text === value ? undefined : text;
}

/**
 * Returns the kind by which `eq` of the service compares a field of unknown type with a value: as numbers, dates or checkbox words
 * if the service finds a record by another spelling of the value, otherwise as texts. Costs at most one request per run and field
 * for values with the same other spellings, as all words of a checkbox that mean yes. Throws ServiceError.
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
	const range = { offset: 0, limit: maxRecords };
	const page = listPage(client, { sheet, where, reading }, range, recordsIn);
	// A field of another kind may refuse the value. It is then equal to no other spelling.
	const records = await page.catch(fallbackTo([], ...accessRefusals));
	const values = records.flatMap(({ content }) => [content.get(fieldId)].flat());
	return values.flatMap((value) => scalarTextOf(value) ?? []);
}
