import { empty, type SeenRequest } from '../../service';
import type { RecordTestbed } from '../recordTestbed';

export const isLookUp = ({ rawUrl }: SeenRequest) => rawUrl.includes('where=');

/** Returns the first request of each look-up. */
export const lookUpsOf = ({ reads }: RecordTestbed) =>
	reads.filter((request) => isLookUp(request) && request.rawUrl.includes('offset=0'));

export function addRecord({ service }: RecordTestbed, fieldId: string, value: string) {
	const origin = { at: 0, user: 'max.member@acme.example' };
	return service.data.sheet(empty).add(origin).set(fieldId, value);
}
