import type { GenericValue, INodeParameters } from 'n8n-workflow';

import { orders } from '../../service';
import { errorsOf, recordId, sheet, unname, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed();
beforeEach(() => unname(testbed.service));
const { fields } = orders;

const always = { _recordId: 9, _title: 'SO-00009', _starred: false };

/** Order 9, which has both notes, for each item with other fields. */
async function readOrder(only: GenericValue[], more: INodeParameters = {}) {
	const { simplify = true, ...options } = more;
	const get = { operation: 'get', sheet: sheet(orders), recordId: recordId(9), simplify };
	return await testbed.run(
		{ ...get, options: { onlyFields: '={{ $json.only }}', ...options } },
		only.map((one) => ({ only: one })),
		{ onError: 'continueErrorOutput' },
	);
}

async function fieldsOf(only: GenericValue[], more: INodeParameters = {}) {
	const { items, errorItems } = await readOrder(only, more);
	expect(errorItems).toEqual([]);
	return items.map(({ json }) => json);
}

describe('only some fields', () => {
	it('are chosen by name or id, whichever the output has, or in an array', async () => {
		const byName = { ...always, Reference: 'REF-9', Status: 'Confirmed' };
		expect(
			await fieldsOf([
				'Reference, Status',
				`${fields.reference},Status`,
				['Reference', fields.status],
			]),
		).toEqual([byName, byName, byName]);
		const byId = { ...always, [fields.reference]: 'REF-9', [fields.status]: 'Confirmed' };
		const only = ['Reference, 1000007', `${fields.reference},${fields.status}`];
		expect(await fieldsOf(only, { fieldKeys: 'id' })).toEqual([byId, byId]);
	});

	it('may be subtables, and are all fields when the list is empty', async () => {
		const [rows, all] = await fieldsOf(['Reference, _subtable_2000001', ' , ']);
		expect(Object.keys(rows ?? {})).toEqual([
			...Object.keys(always),
			'Reference',
			'_subtable_2000001',
		]);
		expect(Object.keys(all ?? {}).length).toBeGreaterThan(20);
	});

	it('narrow the raw record too', async () => {
		const [raw] = await fieldsOf(['Reference'], { simplify: false });
		expect(raw).toMatchObject({ _star: false, _index_title_: 'SO-00009', Reference: 'REF-9' });
		expect(raw).not.toHaveProperty('City');
	});
});

describe('fields that no record has', () => {
	const warning = (...names: string[]) => ({
		type: 'warning',
		location: 'outputPane',
		message: expect.stringContaining(`'Only Fields' asks for ${names.join(', ')}, and none`),
	});

	it('are told in a hint, once for all items', async () => {
		const result = await readOrder(['Reference, city', 'Reference, city', 'Sity']);
		expect(result.items).toHaveLength(3);
		expect(result.hints).toEqual([warning("'city'"), warning("'Sity'")]);
	});

	it('are told of a list when they are in none of its records', async () => {
		const list = (onlyFields: string, filters = {}) =>
			testbed.run({
				...{ operation: 'getAll', sheet: sheet(orders), limit: 5 },
				...{ filters, options: { onlyFields } },
			});
		expect((await list('Note2, __proto__, constructor')).hints).toEqual([
			warning("'__proto__'", "'constructor'"),
		]);
		expect((await list('Reference, _title')).hints).toEqual([]);
		const none = { conditions: [{ field: fields.city, operator: 'eq', value: 'Nowhere' }] };
		expect((await list('Sity', none)).hints).toEqual([]);
	});
});

describe('fields that have no name of their own', () => {
	const { secondNote, unnamed } = fields;

	it('are found by id, or by the name that the output has', async () => {
		const untitled = `Untitled (${unnamed})`;
		const both = { ...always, Note2: 'Shelf 4', [untitled]: '' };
		expect(await fieldsOf([`${secondNote},${unnamed}`, `Note2,${untitled}`])).toEqual([both, both]);
	});
});

it('a name that is not there while the output has ids is an error with near misses', async () => {
	const { errorItems } = await readOrder(['Referense'], { fieldKeys: 'id' });
	expect(errorsOf(errorItems)).toEqual([[expect.stringContaining("'Reference'"), { item: 0 }]]);
	expect(testbed.reads.filter(({ path }) => path.endsWith('/9'))).toEqual([]);
});
