import type { INodeParameters } from 'n8n-workflow';
import { orders, type IdentityName } from '../../service';
import { passTime } from '../clock';
import { asJson } from '../record/recordValues';
import { onOrder, RecordTestbed } from '../recordTestbed';
import type { RunResult } from '../runner';

const minute = 60_000;
export const { fields } = orders;

/** Order that the tests change. */
export const id = 11;

/**
 * Process of n8n in which hours pass, without clearing its state. Each test begins a day after the previous one, with the
 * service in its first state.
 */
export class Hours {
	constructor(readonly testbed: RecordTestbed) {}

	get service() {
		return this.testbed.service;
	}

	/** Lets minutes pass for the nodes and for the service. */
	pass(minutes: number): void {
		passTime(minutes * minute);
		this.service.clock.advance(minutes * minute);
	}

	/** Returns a field of the orders, to be changed by an administrator of the service. */
	field(fieldId: string) {
		const field = this.service.data.sheet(orders).fields.find((known) => known.id === fieldId);
		if (!field) throw new Error(`There is no field ${fieldId}`);
		return field;
	}

	/** Removes a field from the orders. */
	removeField(fieldId: string): void {
		const { fields: all } = this.service.data.sheet(orders);
		all.splice(all.indexOf(this.field(fieldId)), 1);
	}

	/** Returns the stored text of a field of the order. */
	text(fieldId: string): string {
		return this.testbed.order(id).text(fieldId);
	}

	/** Updates the order with these values. */
	async update(
		user: IdentityName,
		values: object,
		options: INodeParameters = {},
	): Promise<RunResult> {
		const parameters = { ...onOrder('update', id), ...asJson(values), options };
		return await this.testbed.runAll(parameters, [{}], this.testbed.as(user));
	}

	/** Reads the order. */
	async read(user: IdentityName, options: INodeParameters = {}): Promise<Record<string, unknown>> {
		const parameters = { ...onOrder('get', id), options };
		const { json, error } = await this.testbed.run(parameters, [{}], this.testbed.as(user));
		expect(error).toBeUndefined();
		return json[0] ?? {};
	}
}

/** Starts the process and one service for a test file. */
export function useHours(): Hours {
	const hours = new Hours(new RecordTestbed());
	beforeAll(async () => await hours.testbed.start({ demoRecords: 60 }));
	beforeEach(() => {
		hours.service.reset();
		hours.pass(24 * 60);
	});
	afterAll(async () => await hours.testbed.stop());
	return hours;
}
