import type { IHttpRequestOptions } from 'n8n-workflow';

import { orders } from '../service';

const written = JSON.stringify({
	status: 'SUCCESS',
	code: 200,
	svcId: 1,
	rv: '1',
	data: { [orders.fields.reference]: 'REF-1' },
	'66': 'Hello',
	'73': '1700000000000',
});
const content = JSON.stringify({ _svcId: 1, Reference: 'REF-1', Status: 'Open', Total: '12.50' });

/** Stands in for a service that takes no time: of a sheet with so many records, none of which match. */
export function answerAtOnce(
	{ method, url }: IHttpRequestOptions,
	recordCount: number,
): { statusCode: number; headers: object; body: string } {
	const isWrite = method === 'POST' || method === 'DELETE';
	return { statusCode: 200, headers: {}, body: bodyOf(new URL(url), isWrite, recordCount) };
}

function bodyOf({ pathname, searchParams }: URL, isWrite: boolean, recordCount: number): string {
	if (pathname.includes('/massOperation/')) return '{"taskId":"1"}';
	if (searchParams.has('taskId')) return '{"id":"1","status":"COMPLETED"}';
	if (isWrite) return written;
	if (searchParams.has('where')) return '{}';
	if (!searchParams.has('limit')) return `{"1":${content}}`;
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
