import { orders, type SeenRequest } from '../../service';
import { useSkippingClock } from '../clock';
import { assign, byConditions, byItems, mass, replace } from '../massOperation/massParameters';
import { linesOf, onLines, rowOfItem } from '../subtableRow/rowTestbed';
import { useRecordTestbed } from '../recordTestbed';
import { refusal, retrying } from './retrying';

useSkippingClock();
const testbed = useRecordTestbed({ demoRecords: 20 });
const { fields } = orders;
const { article } = orders.subtables.lines.fields;

const add = onLines('add', rowOfItem);
const row = (order: number, text: string) => ({ order, row: { [article]: text } });
const to = (order: number) => (request: SeenRequest) =>
	request.method === 'POST' && request.path.endsWith(`/${order}`);
const articles = (order: number) => linesOf(testbed.service, order).map(([, text]) => text);

describe('rows of one record that are written in one request', () => {
	it('rows of one record are not written again when the row of another record fails', async () => {
		const before = [articles(4), articles(8)];
		testbed.inject({ ...refusal, when: to(8) });
		const items = [row(4, 'one'), row(8, 'two'), row(4, 'three')];
		const result = await testbed.runById(add, items, retrying);
		expect(result.status).toBe('success');
		expect([articles(4), articles(8)]).toEqual([
			[...(before[0] ?? []), 'one', 'three'],
			[...(before[1] ?? []), 'two'],
		]);
		expect(testbed.writes).toHaveLength(3);
		expect(
			result.items.map(({ json, pairedItem }) => [json._recordId, json[article], pairedItem]),
		).toEqual([
			[4, 'one', { item: 0 }],
			[8, 'two', { item: 1 }],
			[4, 'three', { item: 2 }],
		]);
	});

	it('rows of one record are not written again if the outcome of their write is unknown', async () => {
		const before = articles(4);
		testbed.inject({ kind: 'resetAfterWork', when: to(4) });
		const result = await testbed.runById(add, [row(4, 'one'), row(4, 'two'), row(8, 'three')], {
			...retrying,
			onError: 'continueRegularOutput',
		});
		expect(articles(4)).toEqual([...before, 'one', 'two']);
		expect(testbed.writes).toHaveLength(2);
		expect(result.items.map(({ json }) => 'error' in json)).toEqual([true, true, false]);
	});

	it('rows of one record are not written again one by one when one of them was rejected', async () => {
		const before = articles(4);
		const holds = (text: string) => (request: SeenRequest) =>
			to(4)(request) && JSON.stringify(request.body).includes(text);
		testbed.inject({ ...refusal, when: holds('two'), times: 2 });
		const items = [row(4, 'one'), row(4, 'two'), row(4, 'three')];
		const result = await testbed.runById(add, items, retrying);
		expect(result.status).toBe('success');
		expect(articles(4)).toEqual([...before, 'one', 'two', 'three']);
		expect(result.items.map(({ json }) => json[article])).toEqual(['one', 'two', 'three']);
	});
});

describe('a mass operation on the records of the items', () => {
	const update = mass('update', {
		...byItems(),
		...assign([fields.remark, '={{ $json.remark }}']),
	});
	const items = [
		{ _recordId: 10, remark: 'one' },
		{ _recordId: 11, remark: 'two' },
		{ _recordId: 12, remark: 'one' },
	];
	const ids = () => testbed.writes.map(({ rawUrl }) => rawUrl.split('?api&')[1]);

	it('a mass operation is not submitted again when that of other items is rejected', async () => {
		const refused = ({ method, rawUrl }: SeenRequest) =>
			method === 'POST' && rawUrl.includes('recordId=11');
		testbed.inject({ ...refusal, when: refused });
		const result = await testbed.run(update, items, retrying);
		expect(result.status).toBe('success');
		expect(ids()).toEqual(['recordId=10&recordId=12', 'recordId=11', 'recordId=11']);
		expect(result.links).toEqual([[{ item: 0 }, { item: 2 }], { item: 1 }]);
	});

	it('a mass operation that did not end in time is not submitted again: the next attempt continues to wait', async () => {
		testbed.inject({
			kind: 'body',
			body: '{"status":"RUNNING","progress":0,"total":1}',
			when: ({ rawUrl }) => rawUrl.includes('taskId='),
			times: 2,
		});
		const result = await testbed.run(
			{ ...update, options: { pollInterval: 1, timeout: 1 } },
			items.slice(0, 1),
			retrying,
		);
		expect(result.status).toBe('success');
		expect(ids()).toEqual(['recordId=10']);
		expect(result.json[0]).toMatchObject({ finished: true, succeeded: true });
	});

	it('a mass operation is not submitted again although the time in its filter has changed', async () => {
		const remark = () => testbed.order(10).text(fields.remark);
		testbed.order(10).set(fields.remark, 'only a');
		const when = ({ method }: SeenRequest) => method === 'GET';
		testbed.inject({ kind: 'body', body: '{"status":"FAILED"}', when, times: 9 });
		const old = byConditions(
			['Create Date', 'lt', '={{ $now.plus({ seconds: 1e6 * Math.random() }) }}'],
			[fields.remark, 'like', 'only'],
		);
		const parameters = mass('searchReplace', { ...old, ...replace(fields.remark, 'a', 'aa') });
		const result = await testbed.run(parameters, [{}], retrying);
		expect(result.status).toBe('error');
		expect(testbed.writes).toHaveLength(1);
		expect(remark()).toBe('only aa');
	});
});
