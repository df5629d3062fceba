import type { INodeParameters } from 'n8n-workflow';
import { orders } from '../../service';
import { onOrders, useRecordTestbed } from '../recordTestbed';
import { autoMapped } from './recordValues';

const testbed = useRecordTestbed();
const { fields } = orders;
const { lines } = orders.subtables;
const getAll = { ...onOrders('getAll'), limit: 20 };
const ragic = () => testbed.as('member', { serviceDialect: 'ragic' });

function asked(name: string): string[] {
	return testbed.reads
		.filter(({ path }) => path.startsWith('/acme/sales/orders/1') && !path.includes('metadata'))
		.flatMap(({ query }) => query.filter(([key]) => key === name).map(([, value]) => value));
}

async function read(options: INodeParameters, more = {}) {
	testbed.service.requests.clear();
	const result = await testbed.run({ ...getAll, options }, [{}], more);
	expect(result.error).toBeUndefined();
	return result.json;
}

describe('only some fields', () => {
	it('are asked for without rows, unless a subtable is named', async () => {
		await read({ onlyFields: 'City, Reference' });
		expect(asked('subtables')).toEqual(['0']);
		await read({ onlyFields: `City, _subtable_${lines.id}` });
		expect(asked('subtables')).toEqual([]);
		await read({ onlyFields: 'City', subtables: true });
		expect(asked('subtables')).toEqual(['1']);
	});

	const own = [fields.city, fields.reference];

	it.each<[string, INodeParameters, string[]]>([
		['by name', { onlyFields: `City, ${fields.reference}` }, own],
		['by id', { onlyFields: `City, ${fields.reference}`, fieldKeys: 'id' }, own],
		// From whole records.
		['beside information', { onlyFields: 'City, _create_date', info: true }, []],
		['beside rows', { onlyFields: `City, _subtable_${lines.id}` }, []],
		['beside a name that two fields have', { onlyFields: 'City, Note' }, []],
	])('are all that comes from a service that can choose: %s', async (_, options, fieldIds) => {
		const usual = await read(options);
		expect(asked('fetchDomainIds')).toEqual([]);
		expect(await read(options, ragic())).toEqual(usual);
		expect(asked('fetchDomainIds')).toEqual(fieldIds);
	});
});

it('a service that can choose fields is asked for the fields to match on', async () => {
	testbed.order(7).set(fields.reference, 'HERE');
	const result = await testbed.runById(
		{ ...onOrders('upsert'), ...autoMapped([fields.reference]) },
		[{ [fields.reference]: 'HERE', [fields.remark]: 'found' }],
		ragic(),
	);
	expect(result.outcomes).toEqual(['7 updated #0']);
	expect(asked('fetchDomainIds')).toEqual([fields.reference]);
});
