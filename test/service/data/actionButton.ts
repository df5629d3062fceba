import type { SheetRecord } from './record';

/** A button of a sheet that users press on a record (specification, "Action button"). */
export interface ActionButton {
	id: string;
	name: string;
	/** Groups that may press it; administrators always may. */
	runnableBy: string[];
	/** Changes the record and gives the message of the answer; what it throws refuses the press. */
	press: (record: SheetRecord, user: string) => string;
}
