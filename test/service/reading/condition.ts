import { decodePercent, decodeQueryText, type QueryParameter } from '../http/query';
import { ServiceError } from '../http/serviceError';

export const operators = ['eq', 'regex', 'gte', 'lte', 'gt', 'lt', 'like', 'eqeq'] as const;

export type Operator = (typeof operators)[number];

/** One filter condition. An empty value asks for records in which the field is empty. */
export interface Condition {
	fieldId: string;
	operator: Operator;
	value: string;
}

/**
 * Reads `<field_id>,<operator>,<value>` (specification, endpoint 1, filter rules 1, 3, 4 and 5).
 */
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
 * Rule 4 says that a comma in the value must be encoded. So where the separating commas came as
 * such, a further bare comma ends the value; where all commas came encoded, only the first two
 * separate.
 */
function splitCondition({ rawValue, value }: QueryParameter): string[] {
	const rawParts = rawValue.split(',');
	if (rawParts.length > 2) return rawParts.slice(0, 3).map(decodeQueryText);
	const [fieldId = '', operator, ...rest] = value.split(',');
	if (operator === undefined || rest.length === 0) return [fieldId];
	return [fieldId, operator, rest.join(',')];
}

/** Rule 5: what still looks percent-encoded after the query was decoded is decoded once more. */
function decodeAgain(value: string): string {
	return /%[0-9a-f]{2}/i.test(value) ? decodePercent(value) : value;
}

function isOperator(text: string): text is Operator {
	return operators.some((operator) => operator === text);
}
