import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Client } from '../../api/http/client';
import type { TimeZone } from '../../api/values/dates';
import { textOf } from '../../api/values/text';
import { authenticationParameter } from '../../shared/editor/nodeDescription';
import type { SheetContext } from '../../shared/parameters/parameter';
import { recordIn } from '../../shared/trigger';
import type { Run } from './run';

/** One item of a run. Parameters are evaluated per item, because expressions may yield another sheet, filter or option for each. */
export class ItemContext implements SheetContext {
	private connection?: Client;

	constructor(
		readonly run: Run,
		readonly index: number,
	) {}

	get context(): IExecuteFunctions {
		return this.run.context;
	}

	/** Creates the client of the item. Returns the item. Throws InputError if its credential cannot be used. */
	async connected(): Promise<this> {
		this.connection ??= await this.run.client(authenticationParameter.parse(this), this.index);
		return this;
	}

	/** The client for the item's credential. Throws Error if `connected()` was not called before. */
	get client(): Client {
		if (this.connection) return this.connection;
		throw new Error(`Item ${this.index} is not connected`);
	}

	value(name: string): unknown {
		return this.run.parameter(name, this.index);
	}

	/** Returns a parameter as text. An expression may yield a number. */
	text(name: string): string {
		return textOf(this.value(name));
	}

	/** The data of the item. Must not be modified. */
	get json(): IDataObject {
		return this.context.getInputData()[this.index]?.json ?? {};
	}

	/** The record in the item's data. */
	get record(): Record<string, unknown> {
		return recordIn(this.json);
	}

	timeZone(offsetHours?: number): TimeZone {
		return offsetHours === undefined ? { zone: this.context.getTimezone() } : { offsetHours };
	}
}

/** The part of an item that operations use. Their parameters are passed as values. */
export type Item = Readonly<Pick<ItemContext, 'client' | 'context' | 'index' | 'record'>> & {
	readonly run: Omit<Run, 'parameter'>;
};
