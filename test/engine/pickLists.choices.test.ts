import type { INodeParameters } from 'n8n-workflow';
import { orders } from '../service';
import { usePickListTestbed } from './pickListTestbed';

const testbed = usePickListTestbed();
const { fields } = orders;

async function offered(
	field: string,
	more: { filter?: string; identity?: 'admin' | 'member'; parameters?: INodeParameters } = {},
): Promise<unknown> {
	const { filter, identity = 'admin', parameters = {} } = more;
	const conditions = [
		{ field: 'City', value: '' },
		{ field, operator: 'eq', value: '' },
	];
	const answer = await testbed.ask({
		kind: 'listSearch',
		name: 'searchChoices',
		identity,
		filter,
		path: 'parameters.filters.conditions[1].value',
		parameters: { operation: 'getAll', filters: { conditions }, ...parameters },
	});
	return Object(answer).results.map(({ value }: { value: string }) => value);
}

describe('the choices of a value', () => {
	it.each([fields.status, 'Status', `State once (${fields.status})`])(
		'come from the schema, for %s',
		async (field) => {
			testbed.service.switches.schemaChoices = true;
			expect(await offered(field)).toEqual(['Open', 'Confirmed', 'Shipped', 'Cancelled']);
			expect(await offered(field, { filter: 'ED' })).toEqual(['Confirmed', 'Shipped', 'Cancelled']);
			expect(testbed.asked).toEqual(['schema']);
		},
	);

	it('come from the newest records without a schema', async () => {
		const [newest] = [...testbed.orders.records.values()].reverse();
		newest?.set(fields.status, 'Lost').set(fields.tags, ['Repeat, large', 'New']);
		expect(await offered(fields.status, { identity: 'member' })).toContain('Lost');
		expect(testbed.asked).toEqual(['schema', 'schema', 'definition', 'EID']);
		expect(await offered(fields.tags, { identity: 'member' })).toEqual(
			expect.arrayContaining(['New', 'Repeat, large']),
		);
		expect(await offered(fields.internalMargin, { identity: 'member' })).toEqual([]);
	});

	it('are an error for a field that does not exist', async () => {
		const question = offered('Statuss');
		await expect(question).rejects.toThrow("Did you mean 'Status'?");
	});
});
