import type { IBinaryData } from 'n8n-workflow';
import type { ArrivingFile } from '../api/files/download';
import type { Item } from './itemContext';

/**
 * Puts an arriving file into n8n's store, as a stream. Name and type are always given: n8n would
 * otherwise take them from the address, with the identity in it.
 */
export async function storeFile(
	{ context }: Item,
	{ stream, mimeType }: ArrivingFile,
	name: string,
): Promise<IBinaryData> {
	return await context.helpers.prepareBinaryData(stream, name, mimeType);
}
