import type { INodeParameters } from 'n8n-workflow';
import { orders } from '../../service';
import { onOrders, useRecordTestbed } from '../recordTestbed';
import type { InputItem } from '../runner';
import { conditionsSent, idsWhere } from './listedOrders';

const testbed = useRecordTestbed();
const { fields, subtables } = orders;

interface FindParameters extends INodeParameters {
	options?: INodeParameters;
}

async function find({ options, ...parameters }: FindParameters, items: InputItem[] = [{}]) {
	const list = { ...onOrders('getAll'), returnAll: true };
	const listParameters = { ...list, options: { subtables: false, ...options }, ...parameters };
	return await testbed.runAll(listParameters, items);
}

async function foundIds(parameters: FindParameters) {
	const { ids, errorItems } = await find(parameters);
	expect(errorItems).toEqual([]);
	return ids;
}

describe('raw conditions', () => {
	const raw = (where: string) => ({ options: { where } });

	it('raw conditions are given one per line, and combined by the service', async () => {
		const where = '1000007,eq,Open\r\n\n  1000007,eq,Shipped\n1000009,gte,500\n';
		const isMeant = (status: string, total: string) =>
			/^(Open|Shipped)$/.test(status) && Number(total) >= 500;
		expect(await foundIds(raw(where))).toEqual(
			idsWhere(testbed, (record) => isMeant(record.text(fields.status), record.text(fields.total))),
		);
		const sent = ['1000007,eq,Open', '1000007,eq,Shipped', '1000009,gte,500'];
		expect(conditionsSent(testbed)).toEqual(sent);
	});

	it.each([
		['a length of time', 'PT5H', ['gt', 'gte', 'lt', 'lte']],
		['not a number', 'NaN', ['eq', 'eqeq', 'gt', 'gte', 'lt', 'lte']],
	])('a text like %s is rejected only where it cannot be meant: %s', async (_, text, rejecting) => {
		const rejected: string[] = [];
		for (const operator of ['eq', 'eqeq', 'gt', 'gte', 'like', 'lt', 'lte', 'regex']) {
			const { errorItems } = await find(raw(`${fields.remark},${operator},${text}`));
			if (errorItems.length > 0) rejected.push(operator);
		}
		expect(rejected).toEqual(rejecting);
	});

	it.each([
		`${fields.orderDate},gt,2026-01-31`,
		`=${fields.deliveryTime},lte,{{ DateTime.fromISO('2026-01-31T09:30') }}`,
		`${fields.orderDate},eq,2026-01-31T00:00:00Z`,
		'105,gt,2026-01-31',
		`${fields.orderDate},gt,31.12.2025`,
		`${fields.orderDate},gt,2026-01`,
		`${fields.orderDate},lt,1672700000000`,
	])(
		'another date than those of the service is rejected, because raw conditions are sent unchanged: %s',
		async (where) => {
			const result = await find(raw(where));
			testbed.expectErrors(
				result,
				/^'[^']+' is not a valid date for '[^']+' in 'Raw Conditions'\. These are sent unchanged\. Write 2026\/01\/31/,
			);
			expect(conditionsSent(testbed)).toEqual([]);
		},
	);

	it('an ISO date in a text field is compared as a text', async () => {
		testbed.order(5).set(fields.remark, '2026-01-31');
		expect(await foundIds(raw(`${fields.remark},eq,2026-01-31`))).toEqual([5]);
	});

	it('raw conditions may use operators that the node does not offer', async () => {
		testbed.expectErrors(await find(raw('1000009,range,1')), 'range');
		expect(conditionsSent(testbed)).toEqual(['1000009,range,1']);
	});

	it.each(['', '={{ "" }}'])('an empty text contains no raw conditions: %j', async (where) => {
		expect(await foundIds({ ...raw(where), returnAll: false, limit: 1 })).toHaveLength(1);
		expect(conditionsSent(testbed)).toEqual([]);
	});

	it.each([
		['=1000007,eq,Open\n1000004,eq,{{ $json.city }}', "'1000004,eq,' in .* has no value"],
		['=1000004,eq, {{ $json.city }}', 'has no value'],
		['1000004,eq,', 'has no value'],
		['={{ $json.where }}', "'Raw Conditions' has no value"],
		['={{ ["1000004,eq,Lyon"] }}', "'Raw Conditions' has no value"],
	])('raw conditions of an expression without a value are rejected: %s', async (where, message) => {
		testbed.expectErrors(await find(raw(where)), new RegExp(`${message}.*expression`));
		expect(testbed.service.requests.count).toBe(0);
	});

	it('raw conditions apply in addition to Filters', async () => {
		const conditions = [{ field: fields.city, operator: 'eq', value: 'Lyon' }];
		await find({ ...raw('1000007,eq,Open'), filters: { conditions } });
		expect(conditionsSent(testbed)).toEqual(['1000004,eq,Lyon', '1000007,eq,Open']);
	});

	it('an invalid raw condition is rejected before anything is sent', async () => {
		const lines = ['1000007', '1000007,eq', 'Status,eq,Open', ',eq,Open', 'eq 1000007 Open'];
		const items = lines.map((line) => ({ line }));
		const result = await find(raw('=1000007,eq,Open\n{{ $json.line }}'), items);
		const expectedErrors = lines.map((line) => new RegExp(`'${line}'.*1000004,eq,Open`));
		testbed.expectErrors(result, expectedErrors);
		expect(testbed.service.requests.count).toBe(0);
	});
});

it('full-text search finds a text in any field, also in rows', async () => {
	expect(await foundIds({ options: { fullText: 'vase' } })).toEqual(
		idsWhere(testbed, (record) => {
			const rows = [...record.rows(subtables.lines.id).values()];
			const texts = [record.values, ...rows].flatMap((row) => [...row.values()]);
			return texts.flat().some((value) => value.includes('Vase'));
		}),
	);
});

describe('saved filters', () => {
	it('the filter of a shared view applies', async () => {
		expect(await foundIds({ options: { sharedViewId: orders.views.open } })).toEqual(
			idsWhere(testbed, (record) => record.text(fields.status) === 'Open'),
		);
		expect(testbed.reads[0]?.query).toContainEqual(['filterId', '77']);
	});

	it('a shared view that does not exist is an error with the code of the service', async () => {
		testbed.expectErrors(await find({ options: { sharedViewId: 'abc' } }), /abc.*201/);
	});

	it('the default filter of a sheet applies only on request', async () => {
		expect(await foundIds({ options: { defaultFilter: true } })).toEqual(
			idsWhere(testbed, (record) => ['Open', 'Confirmed'].includes(record.text(fields.status))),
		);
		expect(testbed.reads[0]?.query).toContainEqual(['defaultFilter', '1']);
		await find({ options: { defaultFilter: false }, returnAll: false, limit: 1 });
		expect(testbed.reads[1]?.rawUrl).not.toContain('defaultFilter');
	});
});
