import type { INodeParameters } from 'n8n-workflow';

import { measurements, orders } from '../../service';
import { fewFields } from '../../bench/wideSheet';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { asJson, autoMapped } from './recordValues';

const testbed = useRecordTestbed();
const { fields } = orders;
const getAll = { operation: 'getAll', sheet: sheet(orders), limit: 20 };
const ragic = () => ({ credentials: testbed.credentials('member', { serviceDialect: 'ragic' }) });

/** The query parameters of a kind in the requests for records. */
function asked(name: string): string[] {
	return testbed.reads
		.filter(({ path }) => path.startsWith('/acme/sales/orders/1') && !path.includes('metadata'))
		.flatMap(({ query }) => query.filter(([key]) => key === name).map(([, value]) => value));
}

async function read(options: INodeParameters, dialect: 'standard' | 'ragic' = 'standard') {
	testbed.service.requests.clear();
	const result = await testbed.run(
		{ ...getAll, options },
		[{}],
		dialect === 'ragic' ? ragic() : {},
	);
	expect(result.error).toBeUndefined();
	return result.items.map(({ json }) => json);
}

describe('only some fields', () => {
	it('are asked for without rows, unless a subtable is named', async () => {
		await read({ onlyFields: 'City, Reference' });
		expect(asked('subtables')).toEqual(['0']);
		await read({ onlyFields: `City, _subtable_${orders.subtables.lines.id}` });
		expect(asked('subtables')).toEqual([]);
		await read({ onlyFields: 'City', subtables: true });
		expect(asked('subtables')).toEqual(['1']);
	});

	it.each(['name', 'id'])(
		'are all that comes from a service that can choose: by %s',
		async (fieldKeys) => {
			const own = { onlyFields: `City, ${fields.reference}`, fieldKeys };
			const whole = { ...getAll, options: own };
			const usual = await testbed.run(whole);
			expect(asked('fetchDomainIds')).toEqual([]);
			testbed.service.requests.clear();
			const chosen = await testbed.run(whole, [{}], ragic());
			expect(asked('fetchDomainIds')).toEqual([fields.city, fields.reference]);
			expect(chosen.items.map(({ json }) => json)).toEqual(usual.items.map(({ json }) => json));
		},
	);

	it.each([
		['a key that comes with information', { onlyFields: 'City, _create_date', info: true }],
		['rows', { onlyFields: `City, _subtable_${orders.subtables.lines.id}` }],
		['a name that two fields have', { onlyFields: 'City, Note' }],
		['a name that nobody knows', { onlyFields: 'City, Nobody' }],
	])('are chosen from whole records beside %s', async (_, options) => {
		const usual = await read(options);
		expect(await read(options, 'ragic')).toEqual(usual);
		expect(asked('fetchDomainIds')).toEqual([]);
	});
});

describe('a service that can choose fields', () => {
	it('sends of 3 of 40 short fields less than a fifth of what it would send of all', async () => {
		const bytesOf = async (options: INodeParameters) => {
			testbed.service.requests.clear();
			const read = { operation: 'getAll', sheet: sheet(measurements), returnAll: true, options };
			const result = await testbed.run(read, [{}], ragic());
			expect(result.items).toHaveLength(50);
			const { baseUrl, identities } = testbed.service;
			const headers = { authorization: `Basic ${identities.member.apiKey}` };
			const pages = testbed.reads.filter(({ path }) => path.endsWith('/90'));
			const answers = await Promise.all(
				pages.map(async ({ rawUrl }) => await fetch(`${baseUrl}${rawUrl}`, { headers })),
			);
			const texts = await Promise.all(answers.map(async (answer) => await answer.text()));
			return texts.join('').length;
		};
		await bytesOf({});
		const whole = await bytesOf({});
		const few = await bytesOf({ onlyFields: fewFields.join() });
		expect(whole).toBeGreaterThan(0);
		// 7.5 % are the fields; the rest comes with every record: its id, title and star.
		expect(few / whole).toBeLessThan(0.2);
	});

	it('is asked for the fields to match on', async () => {
		testbed.service.data.record(orders, 7).set(fields.reference, 'HERE');
		const result = await testbed.run(
			{ operation: 'upsert', sheet: sheet(orders), ...autoMapped([fields.reference]) },
			[{ [fields.reference]: 'HERE', [fields.remark]: 'found' }],
			ragic(),
		);
		expect(result.items[0]?.json).toMatchObject({ _recordId: 7, _action: 'updated' });
		expect(asked('fetchDomainIds')).toEqual([fields.reference]);
	});

	it('is asked for the fields to compare, and for whole records where rows are compared', async () => {
		const { lines } = orders.subtables;
		const update = (recordJson: object) => ({
			...{ operation: 'update', sheet: sheet(orders), recordId: recordId(7) },
			...asJson(recordJson),
			options: { skipUnchanged: true },
		});
		const remark = testbed.service.data.record(orders, 7).text(fields.status);
		const same = await testbed.run(update({ [fields.status]: remark }), [{}], ragic());
		expect(same.items[0]?.json).toEqual({
			...{ _recordId: 7, _title: 'SO-00007', _starred: false },
			...{ [fields.status]: remark, _action: 'unchanged' },
		});
		expect(asked('fetchDomainIds')).toEqual([fields.status]);
		testbed.service.requests.clear();
		const rows = { [`_subtable_${lines.id}`]: [{ [lines.fields.article]: 'Chair' }] };
		await testbed.run(update(rows), [{}], ragic());
		expect(asked('fetchDomainIds')).toEqual([]);
	});
});
