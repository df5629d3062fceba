import type { QueryParameter } from '../values/query';

/**
 * What the service does beside writing a record (specification, endpoint 6). Only what is set is sent, so
 * that else the service's own default holds.
 */
export interface Writing {
	doFormula?: boolean;
	doDefaultValue?: boolean;
	/** Load values from linked sheets, after formulas or before them. */
	doLinkLoad?: 'true' | 'first' | 'false';
	/** Run the workflow script that is tied to the call. */
	doWorkflow?: boolean;
	notification?: boolean;
	/** Reject what fails the validation rules; the specification knows no other value than true. */
	doValidation?: boolean;
	/** Refuse to change a locked record; the specification knows no other value than true. */
	checkLock?: boolean;
	/** Hours from UTC of the moments that are written and returned. */
	timeZone?: number;
	/** Of the API (specification, "Versioning"). */
	version?: string;
}

/** The query parameters of a write. */
export function writingParameters(writing: Writing): QueryParameter[] {
	const { doFormula, doDefaultValue, doLinkLoad, doWorkflow, notification } = writing;
	const { doValidation, checkLock, timeZone, version } = writing;
	const parameters: Array<[string, string | number | boolean | undefined]> = [
		['doFormula', doFormula],
		['doDefaultValue', doDefaultValue],
		['doLinkLoad', doLinkLoad],
		['doWorkflow', doWorkflow],
		['notification', notification],
		['doValidation', doValidation || undefined],
		['checkLock', checkLock || undefined],
		['tz', timeZone],
		['version', version || undefined],
	];
	return parameters.flatMap(([name, value]): QueryParameter[] =>
		value === undefined ? [] : [[name, value]],
	);
}
