import type { ByteSource } from '../data/byteSource';
import type { Switches } from '../switches';
import type { Answer } from './answer';

interface OutgoingFile {
	name: string;
	mimeType: string;
	source: ByteSource;
}

/** An answer that holds a file, with the headers that the switches ask for. */
export function fileAnswer({ name, mimeType, source }: OutgoingFile, switches: Switches): Answer {
	const headers: Record<string, string> = {};
	if (switches.fileTypes === 'exact') headers['content-type'] = mimeType;
	if (switches.fileTypes === 'octetStream') headers['content-type'] = 'application/octet-stream';
	const disposition = dispositionOf(name, switches.fileNameForm);
	if (disposition !== undefined) headers['content-disposition'] = disposition;
	return { status: 200, headers, body: source };
}

function dispositionOf(name: string, form: Switches['fileNameForm']): string | undefined {
	switch (form) {
		case 'encoded':
			return `attachment; filename="file"; filename*=UTF-8''${strictlyEncoded(name)}`;
		case 'quoted':
			return `attachment; filename="${escaped(latin1(name))}"`;
		case 'rawUtf8':
			// Header values are written byte by byte: these are the bytes of the name's UTF-8.
			return `attachment; filename="${escaped(Buffer.from(oneLine(name)).toString('latin1'))}"`;
		case 'none':
			return undefined;
	}
}

/** RFC 8187 leaves fewer characters bare than addresses do. */
function strictlyEncoded(name: string): string {
	return encodeURIComponent(name).replace(
		/['()*]/g,
		(character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
	);
}

function escaped(text: string): string {
	return text.replace(/["\\]/g, '\\$&');
}

function latin1(name: string): string {
	return oneLine(name).replace(/[^\u0020-\u00ff]/gu, '?');
}

function oneLine(name: string): string {
	return name.replace(/\p{Cc}/gu, ' ');
}
