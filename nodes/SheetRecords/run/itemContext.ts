import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Client } from '../../api/http/client';
import type { Clock } from '../../api/values/dates';
import { textOf } from '../../api/values/text';
import { authenticationParameter } from '../../shared/editor/nodeDescription';
import type { SheetContext } from '../../shared/parameters/parameter';
import { recordIn } from '../../shared/trigger';
import type { Run } from './run';

/** One item of a run. Every parameter is evaluated for it: expressions may give each item its own sheet, filters and options. */
export class ItemContext implements SheetContext {
	private connection?: Client;

	constructor(
		readonly run: Run,
		readonly index: number,
	) {}

	get context(): IExecuteFunctions {
		return this.run.context;
	}

	/** Returns the item with its client. Throws InputError when its credential cannot be used. */
	async connected(): Promise<this> {
		this.connection ??= await this.run.client(authenticationParameter.parse(this), this.index);
		return this;
	}

	/** The client with the credential that the item chose, once it is connected. */
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

	/** The item's own data, never to be changed. */
	get json(): IDataObject {
		return this.context.getInputData()[this.index]?.json ?? {};
	}

	/** The record in the item's data. */
	get record(): Record<string, unknown> {
		return recordIn(this.json);
	}

	clock(offsetHours?: number): Clock {
		return offsetHours === undefined ? { zone: this.context.getTimezone() } : { offsetHours };
	}
}

/** The view of an item that an operation gets. It receives its parameters as values. */
export type Item = Readonly<Pick<ItemContext, 'client' | 'context' | 'index' | 'record'>> & {
	readonly run: Omit<Run, 'parameter'>;
};
