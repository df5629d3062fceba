import { createRequire } from 'node:module';
import { join } from 'node:path';

const load = createRequire(join(__dirname, '../../dist/nodes/'));

// What is published, not what a test's compiler would make of the sources.
export const orderedJson: typeof import('../../nodes/api/json/orderedJson') =
	load('./wire/orderedJson.js');
export const webhookDelivery: typeof import('../../nodes/api/webhooks/webhookDelivery') = load(
	'./wire/webhookDelivery.js',
);
export const signature: typeof import('../../nodes/api/webhooks/signature') =
	load('./wire/signature.js');
export const sheetRecords: typeof import('../../nodes/SheetRecords/SheetRecords.node') = load(
	'./SheetRecords/SheetRecords.node.js',
);
