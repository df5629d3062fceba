import type { IDataObject, IExecuteFunctions, NodeParameterValueType } from 'n8n-workflow';
import type { Clock } from '../wire/dates';
import type { Connection } from '../service/connection';
import { sheetOf } from '../editor/sheet';
import { inputError } from '../wire/serviceError';
import type { SheetAddress } from '../wire/sheetAddress';
import { textOf } from '../wire/text';
import { isObject } from '../wire/objects';

/**
 * The parameters of one item. Every one is evaluated for that item: expressions may give each item its
 * own sheet, filters and options.
 */
export class ItemParameters {
	constructor(
		readonly context: IExecuteFunctions,
		readonly index: number,
	) {}

	/** The parameter as n8n evaluates it; undefined when it is not shown for this operation. */
	value(name: string): NodeParameterValueType | object | undefined {
		// n8n throws for a parameter that is not shown unless it is given something to return.
		return this.context.getNodeParameter(name, this.index, null) ?? undefined;
	}

	/** A text; numbers that an expression yields become one. */
	text(name: string): string {
		return textOf(this.value(name));
	}

	/** A text with its white space, for what people write. */
	verbatimText(name: string): string {
		const value = this.value(name);
		return typeof value === 'string' ? value : textOf(value);
	}

	flag(name: string): boolean {
		return this.value(name) === true;
	}

	/** Whether the user wrote an expression, which may yield less than expected. */
	isExpression(name: string): boolean {
		const written = this.context.getNode().parameters[name];
		return typeof written === 'string' && written.startsWith('=');
	}

	/** A whole number of at least `least`. */
	wholeNumber(name: string, displayName: string, least: number): number {
		const number = Number(this.value(name));
		if (Number.isSafeInteger(number) && number >= least) return number;
		throw inputError(`'${displayName}' must be a whole number of at least ${least}`);
	}

	/** A collection, such as `options`; empty when the user opened none of it. */
	collection(name: string): Record<string, unknown> {
		const value = this.value(name);
		return isObject(value) ? { ...value } : {};
	}

	/** The entries that the user added under one name of a fixed collection. */
	entries(name: string, entry: string): Array<Record<string, unknown>> {
		const value = this.collection(name)[entry];
		if (Array.isArray(value)) return value.filter(isObject);
		return isObject(value) ? [value] : [];
	}

	/**
	 * The sheet that the item chose.
	 *
	 * @throws ServiceError of kind `input` when none is chosen, or it belongs to another host or account
	 */
	sheet(connection: Connection): SheetAddress {
		return sheetOf(this.value('sheet'), connection);
	}

	/** The item's own data, never to be changed. */
	get json(): IDataObject {
		return this.context.getInputData()[this.index]?.json ?? {};
	}

	/** Where moments are read off: the offset that the user chose, else the workflow's time zone. */
	clock(offsetHours: number | undefined): Clock {
		return offsetHours === undefined ? { zone: this.context.getTimezone() } : { offsetHours };
	}
}
