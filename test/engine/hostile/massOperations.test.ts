import type { INodeParameters } from 'n8n-workflow';

import { orders, type SeenRequest } from '../../service';
import { recordId, useRecordTestbed } from '../recordTestbed';
import { assign, byIds, mass } from '../massOperation/massParameters';
import { addressOf, bombard } from './bombardment';
import { nastyTexts } from './corpus';

const testbed = useRecordTestbed({ demoRecords: 1_000 });
const { remark } = orders.fields;

const byItem = byIds('={{ $json.id }}');

/** A mass operation that is not waited for, on the record that each item names. */
function onRecord(operation: string, more: INodeParameters) {
	return mass(operation, { ...byItem, waitForCompletion: false, ...more });
}

/** Each goes to the operation's address with one record, and with a body that holds the text. */
function submitted(type: string, textOf: (body: Record<string, unknown>) => unknown) {
	return {
		path: () => `${addressOf(orders)}/massOperation/${type}`,
		query: ['api', 'recordId'],
		carried: ({ body }: SeenRequest) => {
			const text = body && !Array.isArray(body) ? textOf(body) : undefined;
			return typeof text === 'string' ? text : undefined;
		},
	};
}

const inAction = (member: string) => (body: Record<string, unknown>) => {
	const [first]: unknown[] = Array.isArray(body.action) ? body.action : [];
	return typeof first === 'object' && first !== null ? Reflect.get(first, member) : undefined;
};

const remarkOf = (id: number, text: string): [string, string] => [
	`${orders.path}/${orders.index}/${id} ${remark}`,
	JSON.stringify(text),
];

const settle = () => testbed.service.tasks.step(nastyTexts.length);

it('a button is asked for by a number; anything else is looked up, and none of it is a name', async () => {
	await bombard(testbed, {
		parameters: onRecord('runActionButton', { buttonId: recordId('={{ $json.text }}') }),
		carried: 'many',
		refuses: () => true,
	});
	const numbers = nastyTexts.map((text) => text.trim()).filter((text) => /^\d{1,18}$/.test(text));
	const sent = testbed.writes.map(({ body }) => JSON.stringify(body).replace(/"(\d+)"/, '$1'));
	expect(sent).toEqual(numbers.map((number) => `{"buttonId":${number}}`));
});

describe('the field of a mass operation', () => {
	/** An id is sent as it is; names are looked up, and none of these is one. */
	const fieldId = inAction('field');

	it('is refused when it is none', async () => {
		await bombard(testbed, {
			parameters: onRecord('update', assign(['={{ $json.text }}', 'x'])),
			...submitted('massUpdate', (body) => String(fieldId(body))),
			sent: (text) => text.trim(),
			refuses: (text) => text.trim() !== remark,
			changes: (id) => remarkOf(id, 'x'),
			settle,
		});
	});
});
