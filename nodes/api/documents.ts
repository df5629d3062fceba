import { apiQuery, type QueryParameter } from './values/query';
import { sheetPath, type RecordAddress, type SheetAddress } from './values/sheetAddress';
import type { Client } from './http/client';
import type { Dialect } from './http/connection';
import { dialectOf } from './http/dialect';
import { ServiceError, type FailureKind } from './http/serviceError';
import type { FileRequest } from './files/download';

/** Document format, with the parameters of each format (specification, endpoint 4). */
export type DocumentFormat =
	| { format: 'xhtml' | 'pdf' | 'xlsx' }
	| { format: 'mailMerge'; templateId: string }
	| {
			format: 'customPrint';
			templateId: string;
			fileFormat: 'pdf' | 'png' | 'docx';
			/** Field whose value becomes the file name. */
			fileNameFieldId?: string;
	  };

/** Document of a list, with the parameters of each format. Records of a mail merge are counted from 1, in the order of the list. */
export type ListDocumentFormat =
	| { format: 'xlsx' }
	| { format: 'mailMerge'; templateId: string; firstRecord: number; lastRecord: number };

/** Names of the custom print request, which differ between dialects. */
const customPrintNames: Record<Dialect, { suffix: string; templateId: string }> = {
	standard: { suffix: 'customprint', templateId: 'svcCustomPrintTemplateId' },
	ragic: { suffix: 'carbone', templateId: 'ragicCustomPrintTemplateId' },
};

/**
 * Returns the request that exports a record as a document (specification, endpoint 4). Throws InputError if a text cannot be
 * encoded.
 */
export function documentRequest(
	{ connection }: Client,
	{ sheet, recordId }: RecordAddress,
	document: DocumentFormat,
): FileRequest {
	const { suffix, parameters } = addressOf(document, dialectOf(connection));
	return {
		path: `${sheetPath(connection.account, sheet)}/${recordId}.${suffix}`,
		sheet,
		recordId,
		query: apiQuery(parameters),
		expected: { extension: documentExtension(document), isGenerated: true },
	};
}

/**
 * Returns the request that exports a list as a document: a workbook of the whole list, or one mail merge of a range of its
 * records (field notes, "Documents"). The client sends requests one at a time, as these documents need. Throws InputError if a
 * text cannot be encoded.
 */
export function listDocumentRequest(
	{ connection }: Client,
	sheet: SheetAddress,
	document: ListDocumentFormat,
): FileRequest {
	const path = sheetPath(connection.account, sheet);
	if (document.format === 'xlsx') {
		const expected = { extension: 'xlsx', isGenerated: true };
		return { path: `${path}.xlsx`, query: apiQuery([]), expected, sheet };
	}
	const { templateId, firstRecord, lastRecord } = document;
	const query = apiQuery([
		['cid', templateId],
		['listingMode', 'true'],
		['start', String(firstRecord)],
		['end', String(lastRecord)],
	]);
	return { path: `${path}.custom`, query, expected: { extension: '', isGenerated: true }, sheet };
}

/** Kinds of errors that a custom print request may cause if its names are spelled for another service. */
const spellingKinds: readonly FailureKind[] = [
	'malformed',
	'notFound',
	'redirected',
	'refused',
	'unexpected',
	'webPage',
];

/** Returns the error of a custom print request, with advice about the spelling if that may be the cause. */
export function customPrintError({ connection }: Client, error: unknown): unknown {
	if (!(error instanceof ServiceError) || !spellingKinds.includes(error.kind)) return error;
	const isRagic = dialectOf(connection) === 'ragic';
	return error.with({ remedy: isRagic ? 'checkRagicSpelling' : 'checkStandardSpelling' });
}

/**
 * Returns the file extension of a document without the dot, such as `xhtml`; an empty text for a mail merge, whose format
 * depends on the template.
 */
function documentExtension(document: DocumentFormat): string {
	if (document.format === 'mailMerge') return '';
	return document.format === 'customPrint' ? document.fileFormat : document.format;
}

/** Returns the suffix of the record's address for a document format, without the dot, and the query parameters. */
function addressOf(
	document: DocumentFormat,
	dialect: Dialect,
): { suffix: string; parameters: QueryParameter[] } {
	if (document.format === 'mailMerge') {
		return { suffix: 'custom', parameters: [['cid', document.templateId]] };
	}
	if (document.format !== 'customPrint') return { suffix: document.format, parameters: [] };
	const names = customPrintNames[dialect];
	const { fileFormat, templateId, fileNameFieldId } = document;
	const parameters: QueryParameter[] = [
		['fileFormat', fileFormat],
		[names.templateId, templateId],
	];
	if (fileNameFieldId !== undefined) parameters.push(['fileNameRefDomainId', fileNameFieldId]);
	return { suffix: names.suffix, parameters };
}
