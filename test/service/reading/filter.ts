import type { ServiceState } from '../call';
import type { AccountData } from '../data/accountData';
import { compareValues, isDateType, isNumber } from '../data/comparing';
import { longDateTime } from '../data/dates';
import type { SheetRecord } from '../data/record';
import type { Sheet } from '../data/sheet';
import { ServiceError } from '../http/serviceError';
import type { Condition } from './condition';
import { fieldReader, type FieldReader } from './fieldReader';

export type RecordTest = (record: SheetRecord) => boolean;

/** Tests one text of a field; a field without any is the empty text. */
type ValueTest = (text: string, record: SheetRecord) => boolean;

/**
 * Combines conditions into one test (specification, endpoint 1, filter rules 6, 7 and 8): equality,
 * patterns and emptiness of one field are alternatives, its bounds hold together, and different
 * fields hold together.
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
		const own = conditions.filter((condition) => condition.fieldId === fieldId);
		return fieldTest(own, reader, sheet, data);
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

/** Rule 3 holds for every operator: without a value what is empty is found, with one nothing that is. */
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
	if (reader.type === 'checkbox') return (text) => text === checkboxText(value);
	if (isDateType(reader.type) && value !== '') checkValue(value, reader.type);
	return (text) => compareValues(reader.type, text, value) === 0;
}

/** Rule 2 fixes how dates are written; a bound of a number must be one. */
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

/** A checkbox is stored as Yes or No; filters may also say true, false, 1 or 0. */
function checkboxText(value: string): string {
	if (/^(yes|true|1)$/i.test(value)) return 'Yes';
	if (/^(no|false|0)$/i.test(value)) return 'No';
	return value;
}

/**
 * `eqeq` names a node. A link field equals the node whose key it holds; in the sheet's own key field the
 * node is the record itself, whatever other record has the same key; in any other field there is no node,
 * and the value is compared as it is.
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
