import type { ServiceState } from '../call';
import type { AccountData } from '../data/accountData';
import { longDateTime } from '../data/dates';
import type { ReadonlyRow, SheetRecord } from '../data/record';
import type { Sheet } from '../data/sheet';
import { ServiceError } from '../http/serviceError';
import { fieldReader, type FieldReader } from './fieldReader';
import { decodePercent, decodeQueryText, type QueryParameter } from '../http/query';
import { compareValues, isDateType, isNumber, textsOf } from '../data/field';

export const operators = ['eq', 'regex', 'gte', 'lte', 'gt', 'lt', 'like', 'eqeq'] as const;

export type Operator = (typeof operators)[number];

/** A filter condition. An empty value selects records in which the field is empty. */
export interface Condition {
	fieldId: string;
	operator: Operator;
	value: string;
}

/** Parses `<field_id>,<operator>,<value>` (endpoint 1, filter rules 1, 3, 4 and 5). */
export function readCondition(parameter: QueryParameter): Condition {
	const [fieldId, operator, value] = splitCondition(parameter);
	if (fieldId === undefined || operator === undefined || value === undefined) {
		throw new ServiceError('parameters', `Invalid where: ${parameter.value}`);
	}
	if (!isOperator(operator)) {
		throw new ServiceError('parameters', `Unknown filter operator: ${operator}`);
	}
	return { fieldId: fieldId.trim(), operator, value: decodeAgain(value) };
}

/**
 * Splits a condition at its commas. Rule 4 requires that commas in the value are encoded. If the separating commas are bare,
 * a third bare comma ends the value. If all commas are encoded, only the first two separate.
 */
function splitCondition({ rawValue, value }: QueryParameter): string[] {
	const rawParts = rawValue.split(',');
	if (rawParts.length > 2) return rawParts.slice(0, 3).map(decodeQueryText);
	const [fieldId = '', operator, ...rest] = value.split(',');
	if (operator === undefined || rest.length === 0) return [fieldId];
	return [fieldId, operator, rest.join(',')];
}

/** Rule 5: decodes a value again if it is still percent-encoded after the query was decoded. */
function decodeAgain(value: string): string {
	return /%[0-9a-f]{2}/i.test(value) ? decodePercent(value) : value;
}

function isOperator(text: string): text is Operator {
	return operators.some((operator) => operator === text);
}

export type RecordTest = (record: SheetRecord) => boolean;

/** Tests one text of a field. An empty field is tested as the empty text. */
type ValueTest = (text: string, record: SheetRecord) => boolean;

/**
 * Combines conditions into one test (specification, endpoint 1, filter rules 6, 7 and 8). Equality, patterns and emptiness of
 * the same field are alternatives. Bounds of the same field must all hold. Conditions on different fields must all hold.
 */
export function recordTest(
	conditions: readonly Condition[],
	sheet: Sheet,
	{ data, switches }: Pick<ServiceState, 'data' | 'switches'>,
): RecordTest {
	const fieldIds = [...new Set(conditions.map(({ fieldId }) => fieldId))];
	const tests = fieldIds.map((fieldId) => {
		const reader = fieldReader(sheet, fieldId, switches);
		if (!reader) {
			throw new ServiceError('parameters', `Unknown field in where: ${fieldId}`);
		}
		if (reader.isBlind) return () => false;
		const conditionsOfField = conditions.filter((condition) => condition.fieldId === fieldId);
		return fieldTest(conditionsOfField, reader, sheet, data);
	});
	return (record) => tests.every((test) => test(record));
}

function fieldTest(
	conditions: Condition[],
	reader: FieldReader,
	sheet: Sheet,
	data: AccountData,
): RecordTest {
	const bounds = conditions
		.filter(isBound)
		.map((bound) => orEmpty(bound, boundTest(bound, reader)));
	const alternatives = conditions
		.filter((condition) => !isBound(condition))
		.map((condition) => orEmpty(condition, alternativeTest(condition, reader, sheet, data)));

	return (record) => {
		const texts = reader.texts(record);
		const holds = (combined: (text: string) => boolean) =>
			texts.length === 0 ? combined('') : texts.some(combined);
		return (
			holds((text) => bounds.every((test) => test(text, record))) &&
			(alternatives.length === 0 ||
				holds((text) => alternatives.some((test) => test(text, record))))
		);
	};
}

function isBound({ operator }: Condition): boolean {
	return ['gte', 'gt', 'lte', 'lt'].includes(operator);
}

/** Rule 3, for every operator: an empty value finds only empty fields, any other value never finds an empty field. */
function orEmpty({ value }: Condition, test: ValueTest): ValueTest {
	if (value === '') return (text) => text === '';
	return (text, record) => text !== '' && test(text, record);
}

function boundTest({ operator, value }: Condition, { type }: FieldReader): ValueTest {
	if (value !== '') checkValue(value, type);
	const compare = (text: string) => compareValues(type, text, value);
	if (operator === 'gte') return (text) => compare(text) >= 0;
	if (operator === 'gt') return (text) => compare(text) > 0;
	if (operator === 'lte') return (text) => compare(text) <= 0;
	return (text) => compare(text) < 0;
}

function alternativeTest(
	{ operator, value }: Condition,
	reader: FieldReader,
	sheet: Sheet,
	data: AccountData,
): ValueTest {
	if (operator === 'like') return (text) => text.includes(value);
	if (operator === 'regex') {
		const expression = regularExpression(value);
		return (text) => expression.test(text);
	}
	if (operator === 'eqeq') return nodeTest(value, reader, sheet, data);
	if (reader.type === 'checkbox' && !reader.field) return (text) => text === systemText(value);
	if (isDateType(reader.type) && value !== '') checkValue(value, reader.type);
	return (text) => compareValues(reader.type, text, value) === 0;
}

/** Throws if the value is not a valid date (rule 2), or if the bound of a number is not a number. */
function checkValue(value: string, type: FieldReader['type']): void {
	const wrongDate = isDateType(type) && longDateTime(value) === undefined;
	const wrongNumber = type === 'number' && !isNumber(value);
	if (wrongDate || wrongNumber) {
		throw new ServiceError('parameters', `Invalid value in where: ${value}`);
	}
}

function regularExpression(source: string): RegExp {
	try {
		return new RegExp(source);
	} catch {
		throw new ServiceError('parameters', `Invalid regular expression: ${source}`);
	}
}

/** Returns the word for a system field such as If Locked. Its words are not known: filters may say Yes, true or 1. */
function systemText(value: string): string {
	if (/^(yes|true|1)$/i.test(value)) return 'Yes';
	if (/^(no|false|0)$/i.test(value)) return 'No';
	return value;
}

/**
 * Returns the test of `eqeq`, which compares nodes. A link field matches the record whose key it contains. The sheet's key
 * field matches the record itself, even if other records have the same key. Other fields have no node, so their value is
 * compared.
 */
function nodeTest(
	value: string,
	{ field }: FieldReader,
	sheet: Sheet,
	data: AccountData,
): ValueTest {
	if (field?.link) {
		const linked = data.findSheet(field.link.sheet)?.records.get(Number(value));
		const key = linked?.text(field.link.keyFieldId);
		return (text) => text === key;
	}
	const isOwnKey = field !== undefined && field.id === sheet.definition.keyFieldId;
	return isOwnKey ? (_, { id }) => String(id) === value : (text) => text === value;
}

/** Full-text search (specification, endpoint 1, `fts`). Masked texts are not searched. */
export function fullTextTest(text: string, sheet: Sheet): (record: SheetRecord) => boolean {
	const searchedText = text.toLowerCase();
	const masked = new Set(
		sheet.fields.filter(({ type }) => type === 'maskedText').map(({ id }) => id),
	);
	const occursIn = (row: ReadonlyRow) =>
		[...row].some(
			([fieldId, value]) =>
				!masked.has(fieldId) &&
				textsOf(value).some((candidate) => candidate.toLowerCase().includes(searchedText)),
		);
	return ({ content }) =>
		occursIn(content.values) ||
		[...content.subtables.values()].some((rows) => [...rows.values()].some(occursIn));
}
