import { orders } from '../../service';
import { onOrder, useRecordTestbed } from '../recordTestbed';
import { asJson } from './recordValues';

/** Choices in the definition, for a user who may not read the schema. */
const testbed = useRecordTestbed({ demoRecords: 24 });
const { fields } = orders;
const member = () => testbed.as('member');

beforeEach(() => {
	testbed.service.switches.definitionChoices = true;
});

const update = (values: object, options = {}) => ({
	...onOrder('update'),
	...asJson(values),
	options: { doWorkflow: false, ...options },
});

it.each([
	{ what: 'a choice', fieldId: fields.status, known: 'Shipped', unknown: 'Nowhere' },
	{ what: 'a linked record', fieldId: fields.customerNumber, known: 'C-0002', unknown: 'C-none' },
])(
	'$what that the definition does not list is named in _warning',
	async ({ fieldId, known, unknown }) => {
		const [listed] = (await testbed.run(update({ [fieldId]: known }), [{ id: 3 }], member())).json;
		expect(listed?._warning).toBeUndefined();
		const [other] = (await testbed.run(update({ [fieldId]: unknown }), [{ id: 3 }], member())).json;
		expect(other?._warning).toContain('not one of the choices');
		testbed.service.requests.forget();
		const strict = update({ [fieldId]: unknown }, { unknownChoices: 'error' });
		await testbed.expectRefused(strict, [{ id: 3 }], unknown, member());
	},
);

it('several choices in one text are known choices, too', async () => {
	const values = { [fields.tags]: 'Repeat, large, Gift' };
	const result = await testbed.run(update(values), [{ id: 3 }], member());
	expect(result.json[0]?._warning).toBeUndefined();
	const unknown = update({ [fields.tags]: 'Gift, Nowhere' });
	const [other] = (await testbed.run(unknown, [{ id: 3 }], member())).json;
	expect(other?._warning).toContain('not one of the choices');
});
