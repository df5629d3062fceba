import type { SheetRecord } from './record';

/** A button of a sheet that users press on a record (specification, "Action button"). */
export interface ActionButton {
	readonly id: string;
	readonly name: string;
	/** Groups that may press it; administrators always may. */
	readonly runnableBy: readonly string[];
	/** Changes the record and gives the message of the answer; what it throws refuses the press. */
	readonly press: (record: SheetRecord, user: string) => string;
}
