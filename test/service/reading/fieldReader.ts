import { momentText } from '../data/dates';
import { textsOf, type Field, type FieldType } from '../data/field';
import type { SheetRecord } from '../data/record';
import type { Sheet } from '../data/sheet';
import type { Switches } from '../switches';

/** ID of the field with a user's status (specification, "User-sheet fields"). */
const statusField = '31';

const deployedWords = new Map([
	['Active', 'NORMAL'],
	['Suspended', 'SUSPENDED'],
]);

/** Returns a stored text as reads and filters use it. Only status words of users sheets differ from the stored text. */
export function shownText(
	{ definition }: Sheet,
	{ id }: Field,
	text: string,
	{ usersSheet }: Switches,
): string {
	if (usersSheet === 'neutral' || definition.users === undefined || id !== statusField) return text;
	return deployedWords.get(text) ?? text;
}

/** Reads the texts of one field of the record or of its rows. */
export interface FieldReader {
	type: FieldType;
	/** The field's definition. Not set for system fields. */
	field?: Field;
	/** Whether filters on the field find nothing, not even empty values. */
	isBlind?: boolean;
	texts: (record: SheetRecord) => string[];
}

/** The system fields (specification, "System fields"). */
const systemFields: Record<string, FieldReader> = {
	'105': { type: 'dateTime', texts: (record) => [momentText(record.created.at)] },
	'106': { type: 'text', texts: (record) => textsOf(record.entryManager) },
	'108': { type: 'text', texts: (record) => textsOf(record.created.user) },
	'109': {
		type: 'dateTime',
		texts: ({ updated, damagedDate }) => updateTexts(updated.at, damagedDate),
	},
	'110': { type: 'text', texts: (record) => textsOf(record.notifyUser) },
	'111': { type: 'checkbox', texts: (record) => [record.locked ? 'Yes' : 'No'] },
	'112': { type: 'checkbox', texts: (record) => [record.starred ? 'Yes' : 'No'] },
};

const lastUpdateDate = '109';

function updateTexts(at: number, damagedDate: SheetRecord['damagedDate']): string[] {
	return [damagedDate ? String(damagedDate.date ?? '') : momentText(at)];
}

/** Finds a field of the sheet, a field of its subtables, or a system field by its ID. */
export function fieldReader(
	sheet: Sheet,
	fieldId: string,
	switches: Switches,
): FieldReader | undefined {
	const field = sheet.field(fieldId);
	if (field) {
		const texts = (record: SheetRecord) =>
			textsOf(record.value(fieldId)).map((text) => shownText(sheet, field, text, switches));
		return { type: field.type, field, texts };
	}
	const inSubtable = sheet.subtableField(fieldId);
	if (inSubtable) {
		const { subtable } = inSubtable;
		const isBlind = switches.subtableFilters === 'findNothing';
		const texts = (record: SheetRecord) =>
			[...(record.content.subtables.get(subtable.id)?.values() ?? [])].flatMap((row) =>
				textsOf(row.get(fieldId)),
			);
		return { type: inSubtable.field.type, field: inSubtable.field, isBlind, texts };
	}
	if (fieldId === '_ragicModified' && switches.modifiedName === 'known') {
		return systemFields[lastUpdateDate];
	}
	if (fieldId === lastUpdateDate && switches.comparedTimes === 'finer') {
		return { type: 'dateTime', texts: ({ updated }) => [`${momentText(updated.at)}.5`] };
	}
	return systemFields[fieldId];
}

const tags: Array<[RegExp, string]> = [
	[/\[(\/?)([biu])\]/g, '<$1$2>'],
	[/\[url=([^\]]*)\]/g, '<a href="$1">'],
	[/\[\/url\]/g, '</a>'],
	[/\n/g, '<br>'],
];

/** Converts the raw markup of a rich-text field to HTML (specification, "Value formats"). */
export function richTextToHtml(markup: string): string {
	const escaped = markup.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
	return tags.reduce((html, [tag, replacement]) => html.replace(tag, replacement), escaped);
}
