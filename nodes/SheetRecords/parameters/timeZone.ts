import type { INodeProperties } from 'n8n-workflow';
import { InputError } from '../../wire/inputError';
import { textOf } from '../../wire/text';

/** The option that says in which offset dates are returned or written. */
export function timeZoneOption(description: string): INodeProperties {
	return {
		displayName: 'Time Zone',
		name: 'timeZone',
		type: 'number',
		typeOptions: { minValue: -14, maxValue: 14, numberPrecision: 2 },
		default: 0,
		description,
	};
}

export const writtenTimeZone = timeZoneOption(
	"Hours from UTC in which moments, such as dates of expressions, are written, e.g. 8. It must be the offset of the account's time zone. Without it, they are written in the workflow's time zone.",
);

/** No place on earth is farther from UTC. */
const mostHours = 14;

/**
 * The hours of the option Time Zone, when it was added.
 *
 * @throws InputError when its expression yields no such number
 */
export function offsetHours(options: Record<string, unknown>): number | undefined {
	if (!('timeZone' in options)) return undefined;
	const text = textOf(options.timeZone);
	const hours = Number(text);
	if (text !== '' && Math.abs(hours) <= mostHours) return hours;
	throw new InputError(
		`'Time Zone' must be a number of hours from -${mostHours} to ${mostHours}`,
		'Change the number, or check its expression.',
	);
}
