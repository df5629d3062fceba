import type { Switches } from '../switches';

const ofSpecification = ['api', 'APIKey', 'sid', 'version', 'v', 'callback'];

/** Sent by the vendor's own clients: by which of them, and that one record is wanted. */
const ofVendor = ['n8n', 'singleEntryMode'];

/**
 * What any request may carry in its query: the mark, the identity, the version and the wrapping of the
 * answer; by a switch, what the vendor's own clients send as well.
 */
export function commonParameters({ vendorParameters }: Switches): readonly string[] {
	return vendorParameters === 'known' ? [...ofSpecification, ...ofVendor] : ofSpecification;
}
