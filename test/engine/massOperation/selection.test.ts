import type { INodeParameters } from 'n8n-workflow';
import { orders, recipes } from '../../service';
import { useRecordTestbed } from '../recordTestbed';
import type { InputItem } from '../runner';
import { byConditions, byIds, byItems, mass } from './massParameters';

const testbed = useRecordTestbed();
const { fields } = orders;

const lock = (selection: INodeParameters) => mass('lock', selection);
const queries = () => testbed.writes.map(({ rawUrl }) => rawUrl.split('?api&')[1]);

/** Returns a selection by a raw condition, as stored by the editor. */
const raw = (where: string) => ({ selection: 'filters', options: { where } });

describe('an empty selection is rejected before anything is sent', () => {
	const cases: Array<[string, INodeParameters, InputItem[]]> = [
		['no condition', { selection: 'filters' }, [{}]],
		[
			'a condition whose expression finds nothing',
			byConditions([fields.city, 'eq', '={{ $json.missing }}']),
			[{}],
		],
		['a condition of white space', byConditions([fields.city, 'like', ' \t']), [{}]],
		[
			'one empty condition among others',
			byConditions([fields.city, 'eq', 'Oslo'], [fields.status, 'gte', '={{ null }}']),
			[{}],
		],
		['raw conditions of an expression that finds none', raw('={{ $json.missing }}'), [{}]],
		['only empty lines', raw(' \n\n'), [{}]],
		[
			'a raw condition whose expression finds nothing',
			raw(`=${fields.city},eq,{{ $json.missing }}`),
			[{}],
		],
		['a list of nothing', byIds('={{ [null, "", " "] }}'), [{}]],
		['a text without ids', byIds('={{ " , " }}'), [{}]],
		['an expression that finds no list', byIds('={{ $json.missing }}'), [{}]],
		['items without ids', byItems(), [{ title: 'a' }, { title: 'b' }]],
	];

	it.each(cases)('%s, also in a preview', async (_, selection, items) => {
		for (const preview of [false, true]) {
			const options = Object.assign({ preview }, selection.options);
			const result = await testbed.run(lock({ ...selection, options }), items);
			expect(result.error?.message).toMatch(/is empty|has no value|has no text|has no record ID/);
			// Field names in the message may be looked up.
			const isLookUp = ({ rawUrl }: { rawUrl: string }) => /metadata|&def$|limit=20$/.test(rawUrl);
			expect(testbed.service.requests.all().filter((request) => !isLookUp(request))).toEqual([]);
		}
	});

	it.each(['range', ''])(
		'a raw condition with the operator %j is rejected, because the service might ignore it',
		async (operator) => {
			const result = await testbed.run(lock(raw(`${fields.city},${operator},Oslo`)));
			expect(result.error?.message).toContain("'Operator of Raw Conditions'");
			expect(testbed.service.requests.count).toBe(0);
		},
	);
});

it('conditions are resolved by name, combined, and encoded as in a list', async () => {
	await testbed.run(
		lock(
			byConditions(
				['City', 'eq', '50%25, "x"'],
				['City', 'eq', 'Oslo'],
				['Order Date', 'gte', '2026-01-31'],
				[fields.note, 'empty'],
			),
		),
	);
	expect(queries()).toEqual([
		[
			`where=${fields.city},eq,50%252525%252C%2520%2522x%2522`,
			`where=${fields.city},eq,Oslo`,
			`where=${fields.orderDate},gte,2026%2F01%2F31`,
			`where=${fields.note},eq,`,
		].join('&'),
	]);
});

it.each(['admin', 'member'] as const)(
	'a number that limits dates is rejected, because it might select every record: %s',
	async (identity) => {
		for (const field of ['Order Date', fields.orderDate]) {
			const { error } = await testbed.run(
				lock(byConditions([field, 'lt', '={{ 1672700000000 }}'])),
				[{}],
				testbed.as(identity),
			);
			expect(error?.message).toContain("'1672700000000' is not a valid date for 'Order Date'");
		}
		expect(testbed.writes).toEqual([]);
	},
);

describe('record IDs', () => {
	it.each([
		['an array of numbers and texts', '={{ [17, "17", " 17 "] }}'],
		['a text with gaps', ' ,17,, 017 \n'],
	])('record IDs may be %s, and count once', async (_, recordIds) => {
		await testbed.run(lock(byIds(recordIds)));
		expect(queries()).toEqual(['recordId=17']);
	});

	it('a record ID may be 0', async () => {
		const result = await testbed.run(mass('lock', byIds('0, 2'), recipes));
		expect(queries()).toEqual(['recordId=0&recordId=2']);
		expect(result.status).toBe('success');
		const { records } = testbed.service.data.sheet(recipes);
		expect([...records.values()].map(({ locked }) => locked)).toEqual([true, false, true, false]);
		expect(testbed.writes[0]?.path).toBe(
			'/acme/k%C3%BCche/%C3%A9%20t%20%C3%A9/5/massOperation/massLock',
		);
	});

	const event = { event: 'UPDATE', recordId: 17, sheetIndex: 1, verified: true };

	it.each([
		['recordId', [{ ...event, record: { Reference: 'R' } }, { recordId: 18 }], [17, 18]],
		['_recordId', [{ ...event, record: { _recordId: 19 } }, { _recordId: 20 }], [19, 20]],
		[
			'_recordId',
			[{ ...event, _recordId: 21, record: { _recordId: 22 } }, { _recordId: 23 }],
			[21, 23],
		],
	])(
		'the ID in %s of an input item may be in the record of an event, or beside it',
		async (field, items, ids) => {
			await testbed.run(lock(byItems(field)), items);
			expect(queries()).toEqual([ids.map((id) => `recordId=${id}`).join('&')]);
		},
	);

	it.each([
		['17; 18', "'17;' in 'Record IDs' is not a record ID"],
		['={{ [17, { id: 18 }] }}', "'Record IDs' needs a text, but the expression returned an object"],
		['={{ { id: 18 } }}', "'Record IDs' needs a text, but the expression returned an object"],
		['={{ [[17], [18]] }}', "'Record IDs' needs a text, but the expression returned a list"],
		['={{ $now }}', "'Record IDs' needs a text, but the expression returned a date"],
		['={{ [17, null, 18] }}', "Of the entries in 'Record IDs', 1 is empty, and nothing was done"],
		['={{ $input.all().map(({ json }) => json.id).concat(17) }}', '1 is empty'],
		['[17,"",18]', '1 is empty'],
		['={{ [17, NaN] }}', 'the expression returned "not a number"'],
	])('invalid record IDs are rejected: %s', async (recordIds, message) => {
		const result = await testbed.run(lock(byIds(recordIds)));
		expect(result.error?.message).toContain(message);
		expect(testbed.service.requests.count).toBe(0);
	});
});

it.each([
	['no', {}, "has no record ID in the field '_recordId'"],
	['a blank', { _recordId: ' ' }, "has no record ID in the field '_recordId'"],
	['a wrong', { _recordId: 'SO-17' }, "'SO-17' in the field '_recordId' is not a record ID"],
	['a negative', { _recordId: -1 }, "'-1' in the field '_recordId' is not a record ID"],
	[
		'a nested',
		{ _recordId: { id: 17 } },
		`'{"id":17}' in the field '_recordId' is not a record ID`,
	],
])('nothing is sent if one of the input items has %s ID', async (_, wrong, message) => {
	const result = await testbed.run(lock(byItems()), [{ _recordId: 10 }, { ...wrong }]);
	expect(result.error?.message).toContain(message);
	expect(result.error?.context).toMatchObject({ itemIndex: 1 });
	expect(testbed.service.requests.count).toBe(0);
});
