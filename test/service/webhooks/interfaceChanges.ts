import type { ServiceClock } from '../clock';
import type { AccountData } from '../data/accountData';
import type { FieldValue } from '../data/field';
import type { SheetRecord } from '../data/record';
import type { Sheet, SheetAddress } from '../data/sheet';
import type { Webhooks } from './webhooks';

export type Values = Record<string, FieldValue>;

const user = 'ada.admin@acme.example';

/** Changes by users in the interface, with their webhooks ("Events"). Rights and validation are not checked. */
export class InterfaceChanges {
	/** Deleted records that can be restored. */
	private readonly deleted = new WeakMap<Sheet, Map<number, SheetRecord>>();

	constructor(
		private readonly data: AccountData,
		private readonly webhooks: Webhooks,
		private readonly clock: ServiceClock,
	) {}

	create(address: SheetAddress, values: Values): SheetRecord {
		const sheet = this.data.sheet(address);
		const record = sheet.add({ at: this.clock.stamp(), user });
		this.edited(record, values, 'Create');
		this.webhooks.changed(sheet, 'CREATE', [record]);
		return record;
	}

	edit(address: SheetAddress, recordId: number, values: Values): void {
		this.massChange(address, [recordId], () => values);
	}

	/** Saves all rows of the list page, including unmodified ones, each with its own delivery. */
	editOnListPage(
		address: SheetAddress,
		displayedIds: readonly number[],
		values: Record<number, Values>,
	): void {
		for (const recordId of displayedIds) this.edit(address, recordId, values[recordId] ?? {});
	}

	/** Mass update: many records in one delivery. */
	massChange(
		address: SheetAddress,
		recordIds: readonly number[],
		valuesOf: (record: SheetRecord) => Values,
	): void {
		const sheet = this.data.sheet(address);
		const records = recordIds.map((id) => sheet.record(id));
		for (const record of records) this.edited(record, valuesOf(record), 'Update');
		this.webhooks.changed(sheet, 'UPDATE', records);
	}

	delete(address: SheetAddress, recordId: number): void {
		const sheet = this.data.sheet(address);
		const record = sheet.record(recordId);
		sheet.remove(recordId, this.clock.now());
		const bin = this.deleted.get(sheet) ?? new Map<number, SheetRecord>();
		this.deleted.set(sheet, bin.set(recordId, record));
		this.webhooks.changed(sheet, 'DELETE', [record]);
	}

	/** Restores a deleted record with its ID and content, and with its old dates if `keepsDates` is set. Sends CREATE. */
	restore(address: SheetAddress, recordId: number, { keepsDates = false } = {}): void {
		const sheet = this.data.sheet(address);
		const record = this.deleted.get(sheet)?.get(recordId);
		if (!record) throw new Error(`Record ${recordId} was not deleted here`);
		this.deleted.get(sheet)?.delete(recordId);
		sheet.keep(record);
		if (!keepsDates) record.noteEdit(this.clock, { user, type: 'Restore' });
		this.webhooks.changed(sheet, 'CREATE', [record]);
	}

	private edited(record: SheetRecord, values: Values, type: string): SheetRecord {
		for (const [fieldId, value] of Object.entries(values)) record.set(fieldId, value);
		record.noteEdit(this.clock, { user, type });
		return record;
	}
}
