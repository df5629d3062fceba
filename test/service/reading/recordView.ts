import { momentText, shiftDateTime } from '../data/dates';
import { isNumber, textsOf, type Field, type FieldValue } from '../data/field';
import type { ReadonlyRow, SheetRecord } from '../data/record';
import type { Sheet } from '../data/sheet';
import { writeJson, WrittenJson, type JsonValue, type OrderedObject } from '../json';
import type { Switches } from '../switches';
import { approvalView, commentsView, conversationView, historyView } from './attachedViews';
import { fieldKeys, type Naming } from './viewOptions';
import { richTextToHtml, shownText } from './fieldReader';

/** Options of a returned record (the query parameters of endpoints 1 and 2). */
export interface ViewOptions {
	naming: Naming;
	subtables: boolean;
	listing: boolean;
	info: boolean;
	conversation: boolean;
	approval: boolean;
	comment: boolean;
	history: boolean;
	bbcode: boolean;
	/** Groups of a caller who asked for unmasked texts. Empty if the caller did not ask. */
	unmaskFor: readonly string[];
	timeZone: number;
	/** Fields and subtables named by `fetchDomainIds`, or undefined for all. */
	onlyFields: ReadonlySet<string> | undefined;
}

/** Converts the records of a sheet to JSON (specification, "Record as returned by a read"). */
export class RecordView {
	private readonly idKey: string;

	private readonly fields: Array<[key: string, field: Field]>;

	private readonly subtables: Array<{ id: string; fields: Array<[key: string, field: Field]> }>;

	constructor(
		private readonly sheet: Sheet,
		private readonly options: ViewOptions,
		private readonly switches: Switches,
	) {
		this.idKey = switches.dialect === 'ragic' ? '_ragicId' : '_svcId';
		this.fields = this.shownFields(sheet.fields);
		const leavesRowsOut = options.listing && switches.listingSubtables === 'leftOut';
		this.subtables = sheet.subtables.flatMap(({ id, fields }) => {
			if (leavesRowsOut) return [];
			const keyedFields = options.onlyFields?.has(id)
				? this.keyed(fields)
				: this.shownFields(fields);
			return keyedFields.length === 0 ? [] : [{ id, fields: keyedFields }];
		});
	}

	/**
	 * Returns the whole answer. Each record is serialized immediately, because ten thousand objects would take too much
	 * memory.
	 */
	list(records: readonly SheetRecord[]): OrderedObject {
		const { sequence, keysBesideRecords, minusOneBesideRecords } = this.switches;
		const written = records.map((record, index): [string, JsonValue] => {
			const position = sequence === 'place' ? index + 1 : undefined;
			const { damagedContent = this.record(record, position) } = record;
			return [String(record.id), new WrittenJson(writeJson(damagedContent))];
		});
		if (minusOneBesideRecords) written.push(['-1', { [this.idKey]: -1 }]);
		if (!keysBesideRecords || written.length === 0) return new Map(written);
		return new Map([
			['_metaData', { count: written.length }],
			...written,
			['_ragicAnnotation_', {}],
			['info', { sheet: this.sheet.name }],
		]);
	}

	/** @param position `_seq` of the record, if it is its position in the answer */
	record(record: SheetRecord, position?: number): OrderedObject {
		const view: OrderedObject = new Map<string, JsonValue>([
			[this.idKey, record.id],
			['_star', record.starred],
			['_index_title_', this.sheet.titleOf(record)],
		]);
		if (position !== undefined) view.set('_seq', position);
		if (this.switches.extraReservedKeys) this.addReservedKeys(view, record);
		if (this.switches.mobileKeys) addMobileKeys(view, record);
		this.addFields(view, this.fields, record.content.values);
		if (this.options.subtables) this.addSubtables(view, record);
		this.addRequested(view, record);
		return view;
	}

	private shownFields(fields: readonly Field[]): Array<[string, Field]> {
		const { listing, onlyFields } = this.options;
		return this.keyed(fields).filter(
			([, field]) =>
				(!listing || field.onListing === true) &&
				(onlyFields === undefined || onlyFields.has(field.id)),
		);
	}

	/**
	 * Returns the fields with their keys. Keys must not depend on the returned fields: names are unique among all fields of
	 * the record or the subtable.
	 */
	private keyed(fields: readonly Field[]): Array<[string, Field]> {
		const keys = fieldKeys(fields, this.options.naming, this.switches);
		return fields.map((field) => [keys.get(field.id) ?? field.id, field]);
	}

	private addReservedKeys(view: OrderedObject, record: SheetRecord): void {
		view.set('_index_', '');
		view.set('_index_calDates_', '');
		view.set('_dataTimestamp', record.updated.at);
	}

	private addFields(
		view: OrderedObject,
		fields: Array<[string, Field]>,
		values: ReadonlyRow,
	): void {
		for (const [key, field] of fields) view.set(key, this.value(field, values.get(field.id) ?? ''));
	}

	private addSubtables(view: OrderedObject, record: SheetRecord): void {
		for (const { id, fields } of this.subtables) {
			const rows: OrderedObject = new Map();
			for (const [rowId, row] of record.content.subtables.get(id) ?? []) {
				const rowView: OrderedObject = new Map<string, JsonValue>([[this.idKey, rowId]]);
				if (this.switches.rowKeys === 'placesToo') {
					rowView.set('_parentRagicId', record.id).set('_header_Y', [8, 9]).set('_start_X', 1);
				}
				this.addFields(rowView, fields, row);
				rows.set(String(rowId), rowView);
			}
			const isLeftOut = rows.size === 0 && this.switches.emptySubtables === 'leftOut';
			if (this.switches.rowCount === 'shown') rows.set('_count', rows.size);
			if (!isLeftOut) view.set(`_subtable_${id}`, rows);
		}
	}

	private addRequested(view: OrderedObject, record: SheetRecord): void {
		const { info, comment, history, approval, conversation, timeZone } = this.options;
		if (info) {
			view.set('_create_date', momentText(record.created.at, timeZone));
			view.set('_create_user', record.created.user);
			const { damagedDate = { date: momentText(record.updated.at, timeZone) } } = record;
			if (damagedDate.date !== undefined) view.set('_update_date', damagedDate.date);
			view.set('_update_user', record.updated.user);
			if (this.switches.sequence === 'ownWithInfo') view.set('_seq', record.sequence);
		}
		if (comment) view.set('_subtable_61', commentsView(record, timeZone));
		if (history) view.set('_history', historyView(record, this.sheet));
		if (approval) view.set('_approval', approvalView(record));
		if (conversation) view.set('_conversation', conversationView(record, timeZone));
	}

	private value(field: Field, value: FieldValue): JsonValue {
		if (field.type === 'multipleSelection') return this.choices(textsOf(value));
		if (field.type === 'file') return this.files(textsOf(value));
		if (typeof value !== 'string') return value.join(',');
		if (value === '') return '';
		if (field.type === 'number' && !this.switches.numbersAsText && isNumber(value)) {
			return new WrittenJson(value);
		}
		if (field.type === 'date') return this.date(value);
		if (field.type === 'dateTime') return this.date(shiftDateTime(value, this.options.timeZone));
		if (field.type === 'richText') return this.options.bbcode ? value : richTextToHtml(value);
		if (field.type === 'maskedText') return this.mayUnmask(field) ? value : '****';
		return shownText(this.sheet, field, value, this.switches);
	}

	private date(text: string): string {
		return this.switches.dateZeros === 'leftOut' ? text.replace(/\/0(?=\d)/g, '/') : text;
	}

	private choices(texts: string[]): JsonValue {
		const [only] = texts;
		const asText = this.switches.singleChoiceAsText && texts.length === 1;
		return asText && only !== undefined ? only : texts;
	}

	private files(values: string[]): JsonValue {
		if (values.length < 2) return values[0] ?? '';
		return this.switches.leadingEmptyFile ? ['', ...values] : values;
	}

	private mayUnmask(field: Field): boolean {
		return this.options.unmaskFor.some((group) => field.unmaskedFor?.includes(group));
	}
}

/** Adds the system keys that reads of the vendor's mobile app contain. */
function addMobileKeys(view: OrderedObject, record: SheetRecord): void {
	view.set('_if_entry_manager', true).set('_locked', record.locked);
	view.set('_access_user', record.entryManager).set('_notify_user', record.notifyUser);
	view.set('_approve_status', 'N').set('_approve_next', '').set('_data_nodeIds', [record.id]);
}
