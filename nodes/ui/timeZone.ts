import { option, type ParameterSource, type Parameter } from './parameter';
import { InputError } from '../api/values/inputError';
import { textOf } from '../api/values/text';

/** No place on earth is farther from UTC. */
const mostHours = 14;

/** The option that says in which offset, in hours from UTC, dates are returned or written. */
export function timeZoneOption(
	description: string,
): Parameter<number | undefined, ParameterSource> {
	return option(
		{
			displayName: 'Time Zone',
			name: 'timeZone',
			type: 'number',
			typeOptions: { minValue: -14, maxValue: 14, numberPrecision: 2 },
			default: 0,
			description,
		},
		hoursOf,
	);
}

export const writtenTimeZone = timeZoneOption(
	"Hours from UTC in which moments, such as dates of expressions, are written, e.g. 8. It must be the offset of the account's time zone. Without it, they are written in the workflow's time zone.",
);

function hoursOf(value: unknown): number {
	const text = textOf(value);
	const hours = Number(text);
	if (text !== '' && Math.abs(hours) <= mostHours) return hours;
	throw new InputError(
		`'Time Zone' must be a number of hours from -${mostHours} to ${mostHours}`,
		'Change the number, or check its expression.',
	);
}
