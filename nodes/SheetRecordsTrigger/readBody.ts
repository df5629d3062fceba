import type { IWebhookFunctions } from 'n8n-workflow';
import type { Refusal } from './refusal';

/** Larger than any delivery should be; n8n itself stops at 16 MB unless told otherwise. */
const mostBytes = 16 * 1024 * 1024;

/** The request's body as the text that was sent: signatures are made over it, not over what n8n parsed. */
export async function readBody(context: IWebhookFunctions): Promise<{ text: string } | Refusal> {
	const bytes = await bodyBytes(context);
	if (bytes === undefined) return { status: 400, reason: 'The body cannot be read' };
	if (bytes.length > mostBytes) return { status: 413, reason: 'The body is too large' };
	const text = decoded(bytes);
	return text === undefined ? { status: 400, reason: 'The body is not UTF-8' } : { text };
}

/** n8n reads the body of known content types; of a form with files it keeps nothing to read. */
async function bodyBytes(context: IWebhookFunctions): Promise<Uint8Array | undefined> {
	const request = context.getRequestObject();
	const isForm = /^multipart\//i.test(String(request.headers['content-type'] ?? ''));
	if (request.rawBody === undefined && !isForm) {
		await request.readRawBody().catch(() => undefined);
	}
	return request.rawBody;
}

function decoded(bytes: Uint8Array): string | undefined {
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
	} catch {
		return undefined;
	}
}
