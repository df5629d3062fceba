import type { Resource } from '../../operation';
import { exportDocument } from './export';

export const document: Resource = {
	value: 'document',
	name: 'Document',
	description: 'A record as a document for people',
	defaultOperation: exportDocument,
	operations: [exportDocument],
};
