import type { Client } from '../api/http/client';
import type { Clock } from '../api/values/dates';
import type { LookedUpParameter, ParameterSource } from './parameter';

/** What parameters about the fields of a sheet are read from. */
export interface SheetCall {
	item: SheetSource;
	/** With the identity that was chosen. */
	client: Client;
}

interface SheetSource extends ParameterSource {
	/** Whether the user wrote an expression, which may yield less than expected. */
	isExpression(name: string): boolean;
	/** Where moments are read off: the offset that the user chose, else the workflow's time zone. */
	clock(offsetHours?: number): Clock;
}

/** A parameter that is looked up with the fields of the sheet. */
export type LookedUpInSheet<Value> = LookedUpParameter<Value, SheetCall>;
