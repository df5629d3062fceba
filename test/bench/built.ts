import { createRequire } from 'node:module';
import { join } from 'node:path';

const load = createRequire(join(__dirname, '../../dist/nodes/'));

// What is published, not what a test's compiler would make of the sources.
export const orderedJson: typeof import('../../nodes/api/json/orderedJson') = load(
	'./api/json/orderedJson.js',
);
export const webhookDelivery: typeof import('../../nodes/api/webhooks/delivery') = load(
	'./api/webhooks/delivery.js',
);
export const signature: typeof import('../../nodes/api/webhooks/signature') = load(
	'./api/webhooks/signature.js',
);
