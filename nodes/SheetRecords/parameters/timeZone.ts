import type { INodeProperties } from 'n8n-workflow';
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
	"Hours from UTC in which dates are written, e.g. 8. Without it, dates of expressions are written in the workflow's time zone.",
);

/** The hours of the option Time Zone, when it was added. */
export function offsetHours(options: Record<string, unknown>): number | undefined {
	const hours = textOf(options.timeZone);
	return hours !== '' && Number.isFinite(Number(hours)) ? Number(hours) : undefined;
}
