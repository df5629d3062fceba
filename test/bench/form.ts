import type { Readable } from 'node:stream';
import { orders } from '../service';

const boundary = 'bench-boundary';

/** Record and field to which files are uploaded. */
export const uploadTarget = { recordId: '5', fieldId: orders.fields.contract };

const head = [
	`--${boundary}`,
	`Content-Disposition: form-data; name="${uploadTarget.fieldId}"; filename="large.bin"`,
	'Content-Type: application/octet-stream',
	'\r\n',
].join('\r\n');
const tail = `\r\n--${boundary}--\r\n`;

export function formHeaders(size: number): Record<string, string> {
	return {
		'content-type': `multipart/form-data; boundary=${boundary}`,
		'content-length': String(head.length + size + tail.length),
	};
}

export async function* form(file: Readable): AsyncGenerator<Buffer> {
	yield Buffer.from(head);
	for await (const chunk of file) yield Buffer.from(chunk);
	yield Buffer.from(tail);
}
