import { demandReading, existingRecord, type Call } from '../call';
import { bytesInMemory } from '../data/storedFiles';
import type { SheetRecord } from '../data/record';
import type { Sheet } from '../data/sheet';
import { fileAnswer, htmlAnswer, type Answer } from '../http/answer';
import { matchingRecords } from '../endpoints/list';
import { refusal, ServiceError } from '../http/serviceError';
import { ordered } from '../reading/ordering';
import {
	makeLetter,
	makePage,
	makePdf,
	makePicture,
	makeWorkbook,
	recordContent,
	type RecordContent,
} from './makers';

/** Creates the bytes of a document. The heading contains the template. */
type Make = (content: RecordContent, heading: string) => Buffer | Promise<Buffer>;

interface Form {
	extension: string;
	mimeType: string;
	make: Make;
}

const pdf: Form = { extension: 'pdf', mimeType: 'application/pdf', make: makePdf };
const png: Form = { extension: 'png', mimeType: 'image/png', make: makePicture };
const docx: Form = {
	extension: 'docx',
	mimeType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
	make: makeLetter,
};
const xlsx: Form = {
	extension: 'xlsx',
	mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
	make: makeWorkbook,
};
const xhtml: Form = {
	extension: 'xhtml',
	mimeType: 'application/xhtml+xml;charset=UTF-8',
	make: makePage,
};

const plainForms = new Map([pdf, xlsx, xhtml].map((form) => [form.extension, form]));
const printForms = new Map([pdf, png, docx].map((form) => [form.extension, form]));

/** Exports a record as a document (specification, endpoint 4). */
export async function exportDocument(
	call: Call,
	{ sheet, recordId, suffix }: { sheet: Sheet; recordId: number; suffix: string },
): Promise<Answer> {
	demandReading(sheet, call.identity);
	const { form, heading, nameFieldId } = chosenForm(call, sheet, suffix);
	const record = existingRecord(sheet, recordId);
	const failure = failed(call);
	if (failure) return failure;
	const content = await form.make(recordContent(sheet, record), heading);
	const name = `${nameOf(sheet, record, nameFieldId)}.${form.extension}`;
	const { mimeType } = form;
	return fileAnswer({ name, mimeType, source: bytesInMemory(content) }, call.state.switches);
}

/** Exports a list as a workbook, or a range of its records as letters. */
export async function exportList(
	call: Call,
	{ sheet, suffix }: { sheet: Sheet; suffix: string },
): Promise<Answer> {
	demandReading(sheet, call.identity);
	const failure = failed(call);
	if (failure) return failure;
	const form = suffix === 'xlsx' ? xlsx : docx;
	let records = ordered(matchingRecords(call, sheet), sheet, call);
	if (form === docx) {
		required(call, 'cid', [sheet.definition.templates?.mailMerge]);
		required(call, 'listingMode', ['true']);
		const [start, end] = ['start', 'end'].map((name) => Number(call.query.first(name)));
		records = records.slice((start ?? 1) - 1, end);
	}
	const fields = records.map((record): [string, string] => [
		String(record.id),
		sheet.titleOf(record),
	]);
	const content = { recordId: 0, title: sheet.name, fields, subtables: [] };
	const source = bytesInMemory(await form.make(content, 'List of'));
	const name = `${sheet.name}.${form.extension}`;
	return fileAnswer({ name, mimeType: form.mimeType, source }, call.state.switches);
}

interface Choice {
	form: Form;
	heading: string;
	/** ID of the field whose value is the file name. Only for custom prints. */
	nameFieldId?: string | undefined;
}

function chosenForm(call: Call, sheet: Sheet, suffix: string): Choice {
	const plain = plainForms.get(suffix);
	if (plain) return { form: plain, heading: sheet.name };
	const templates = sheet.definition.templates ?? {};
	if (suffix === 'custom') {
		const template = required(call, 'cid', [templates.mailMerge]);
		return { form: docx, heading: `Letter ${template} for` };
	}
	const isRagic = call.state.switches.dialect === 'ragic';
	if (suffix !== (isRagic ? 'carbone' : 'customprint')) throw refusal('http404');
	const format = required(call, 'fileFormat', [...printForms.keys()]);
	const usualName = isRagic ? 'ragicCustomPrintTemplateId' : 'svcCustomPrintTemplateId';
	const olderName = 'customPrintTemplateId';
	const idName = call.query.has(olderName) ? olderName : usualName;
	const template = required(call, idName, [templates.customPrint]);
	const nameFieldId = call.query.first('fileNameRefDomainId');
	return { form: printForms.get(format) ?? pdf, heading: `Report ${template} on`, nameFieldId };
}

function required({ query }: Call, name: string, allowed: Array<string | undefined>): string {
	const value = query.first(name);
	if (value !== undefined && allowed.includes(value)) return value;
	const problem = value ? `Unknown ${name}: ${value}` : `Missing parameter: ${name}`;
	throw new ServiceError('parameters', problem);
}

function failed({ state }: Call): Answer | undefined {
	const { documents } = state.switches;
	if (documents === 'json') {
		throw new ServiceError('execution', 'The template could not be filled in.');
	}
	if (documents === 'http404') throw refusal('http404');
	if (documents === 'html') return htmlAnswer('The document could not be made.');
	return documents === 'empty' ? { status: 200, headers: {}, body: '' } : undefined;
}

/** Returns the value of the field, or sheet name and title if no field is given. */
function nameOf(sheet: Sheet, record: SheetRecord, fieldId: string | undefined): string {
	if (fieldId === undefined) return `${sheet.name} ${sheet.titleOf(record)}`;
	if (!sheet.field(fieldId)) throw new ServiceError('parameters', `Unknown field: ${fieldId}`);
	return record.text(fieldId);
}
