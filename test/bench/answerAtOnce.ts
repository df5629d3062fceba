import type { IHttpRequestOptions } from 'n8n-workflow';

import { orders } from '../service';

const written = {
	status: 'SUCCESS',
	code: 200,
	svcId: 1,
	rv: '1',
	'66': 'Hello',
	'73': '1700000000000',
};
const reference = { [orders.fields.reference]: 'REF-1' };
const rowsKey = `_subtable_${orders.subtables.lines.id}`;
const row = { [orders.subtables.lines.fields.article]: 'Chair' };
/** New rows are others than those before them. */
let madeRows = 1_000;
const content = JSON.stringify({
	_svcId: 1,
	Reference: 'REF-1',
	Status: 'Open',
	Total: '12.50',
	// By its id, too: an upsert asks whether the field is shown to it at all.
	...reference,
});

/** Stands in for a service that takes no time: of a sheet with so many records, none of which match. */
export function answerAtOnce(
	{ method, url, body }: IHttpRequestOptions,
	recordCount: number,
): { statusCode: number; headers: object; body: string } {
	const isWrite = method === 'POST' || method === 'DELETE';
	return {
		statusCode: 200,
		headers: {},
		body: isWrite ? saved(new URL(url), body) : read(new URL(url), recordCount),
	};
}

function saved({ pathname }: URL, body: unknown): string {
	if (pathname.includes('/massOperation/')) return '{"taskId":"1"}';
	// How many rows there are is all that has to be known of them.
	const ids = String(body ?? '').match(/(?<=[{,]")-?\d+(?=":\{)/g) ?? [];
	const rows = Object.fromEntries(ids.map((id) => [id.startsWith('-') ? ++madeRows : id, row]));
	const data = ids.length > 0 ? { ...reference, [rowsKey]: rows } : reference;
	return JSON.stringify({ ...written, data });
}

function read({ pathname, searchParams }: URL, recordCount: number): string {
	if (searchParams.has('taskId')) return '{"id":"1","status":"COMPLETED"}';
	if (searchParams.has('where')) return '{}';
	if (!searchParams.has('limit')) {
		const recordId = pathname.split('/').at(-1) ?? '';
		return JSON.stringify({ [recordId]: { ...reference, [rowsKey]: { '1': row } } });
	}
	const offset = Number(searchParams.get('offset'));
	const end = Math.min(recordCount, offset + Number(searchParams.get('limit')));
	return page(offset, end);
}

function page(from: number, end: number): string {
	const members = Array.from({ length: Math.max(0, end - from) }, (_, index) => {
		return `"${from + index + 1}":${content}`;
	});
	return `{${members.join(',')}}`;
}
