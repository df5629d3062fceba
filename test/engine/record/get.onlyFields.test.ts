import type { GenericValue, INodeParameters } from 'n8n-workflow';

import { orders } from '../../service';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed();

const always = { _recordId: 9, _title: 'SO-00009', _starred: false };

/** Order 9, which has both notes. */
async function readOrder(
	onlyFields: GenericValue,
	{ simplify = true, ...options }: INodeParameters = {},
) {
	return await testbed.run(
		{
			operation: 'get',
			sheet: sheet(orders),
			recordId: recordId(9),
			simplify,
			options: { onlyFields: '={{ $json.only }}', ...options },
		},
		[{ only: onlyFields }],
	);
}

async function fieldsOf(onlyFields: GenericValue, more: INodeParameters = {}) {
	const result = await readOrder(onlyFields, more);
	expect(result.error).toBeUndefined();
	return result.items[0]?.json;
}

describe('only some fields', () => {
	it('are chosen by the names in the output', async () => {
		expect(await fieldsOf('City, Reference')).toEqual({
			...always,
			City: testbed.service.data.record(orders, 9).text(orders.fields.city),
			Reference: 'REF-9',
		});
	});

	it('are chosen by id while the output has names', async () => {
		expect(await fieldsOf(`${orders.fields.reference},Status`)).toEqual({
			...always,
			Reference: 'REF-9',
			Status: 'Confirmed',
		});
	});

	it('are chosen by name while the output has ids', async () => {
		expect(await fieldsOf('Reference, 1000007', { fieldKeys: 'id' })).toEqual({
			...always,
			[orders.fields.reference]: 'REF-9',
			[orders.fields.status]: 'Confirmed',
		});
	});

	it('may be an array', async () => {
		expect(await fieldsOf(['Reference', orders.fields.status])).toEqual({
			...always,
			Reference: 'REF-9',
			Status: 'Confirmed',
		});
	});

	it('may be subtables', async () => {
		const json = await fieldsOf('Reference, _subtable_2000001');
		expect(Object.keys(json ?? {})).toEqual([
			...Object.keys(always),
			'Reference',
			'_subtable_2000001',
		]);
		expect(await fieldsOf('Reference')).not.toHaveProperty('_subtable_2000001');
	});

	it('are all fields when the list is empty', async () => {
		expect(Object.keys((await fieldsOf(' , ')) ?? {}).length).toBeGreaterThan(20);
	});

	it('do not take away what other options add', async () => {
		const json = await fieldsOf('Reference', { info: true });
		expect(json).toMatchObject({ ...always, Reference: 'REF-9', _seq: 9 });
		expect(json).not.toHaveProperty('City');
	});

	it('narrow the raw record too', async () => {
		const json = await fieldsOf('Reference', { simplify: false });
		expect(json).toEqual({
			_svcId: 9,
			_star: false,
			_index_title_: 'SO-00009',
			Reference: 'REF-9',
		});
	});
});

describe('fields that no record has', () => {
	const warning = (...names: string[]) => ({
		type: 'warning',
		location: 'outputPane',
		message: expect.stringContaining(`'Only Fields' asks for ${names.join(', ')}, and none`),
	});

	it('are told in a hint, once for all items', async () => {
		const items = [{ only: 'Reference, city' }, { only: 'Reference, city' }, { only: 'Sity' }];
		const result = await testbed.run(
			{
				operation: 'get',
				sheet: sheet(orders),
				recordId: recordId(9),
				options: { onlyFields: '={{ $json.only }}' },
			},
			items,
		);
		expect(result.items).toHaveLength(3);
		expect(result.hints).toEqual([warning("'city'"), warning("'Sity'")]);
	});

	it('are told of a list when they are in none of its records', async () => {
		const list = (onlyFields: string, filters = {}) =>
			testbed.run({
				operation: 'getAll',
				sheet: sheet(orders),
				limit: 5,
				filters,
				options: { onlyFields },
			});
		expect((await list('Note2, __proto__, constructor')).hints).toEqual([
			warning("'__proto__'", "'constructor'"),
		]);
		expect((await list('Reference, _title')).hints).toEqual([]);
		const none = { conditions: [{ field: orders.fields.city, operator: 'eq', value: 'Nowhere' }] };
		expect((await list('Sity', none)).hints).toEqual([]);
	});
});

describe('fields that have no name of their own', () => {
	it('are chosen by the name that the service gives them', async () => {
		expect(await fieldsOf('Note2')).toEqual({ ...always, Note2: 'Shelf 4' });
	});

	it('are chosen by id while the output has ids', async () => {
		const { secondNote, unnamed } = orders.fields;
		const only = `${secondNote},${unnamed}`;
		expect(await fieldsOf(only, { fieldKeys: 'id' })).toEqual({
			...always,
			[secondNote]: 'Shelf 4',
			[unnamed]: '',
		});
	});

	it.each([orders.fields.secondNote, orders.fields.unnamed])(
		'are never mistaken for another field when %s is chosen while the output has names',
		async (fieldId) => {
			const result = await readOrder(fieldId);
			expect(result.error).toMatchObject({
				message: expect.stringContaining(fieldId),
				description: expect.stringContaining('Field Keys'),
				context: { itemIndex: 0 },
			});
			expect(result.items).toEqual([]);
		},
	);
});

it('a name that is not there while the output has ids is an error with near misses', async () => {
	const result = await readOrder('Referense', { fieldKeys: 'id' });
	expect(result.error).toMatchObject({
		message: expect.stringContaining("'Reference'"),
		context: { itemIndex: 0 },
	});
	expect(testbed.reads.filter(({ path }) => path.endsWith('/9'))).toEqual([]);
});
