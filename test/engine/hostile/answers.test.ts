import type { IDataObject } from 'n8n-workflow';
import { amount } from '../../amount';
import { createCustomer } from '../operations';
import { onOrders, useRecordTestbed } from '../recordTestbed';
import { expectCleanPrototypes } from './bombardment';

const testbed = useRecordTestbed({ demoRecords: 20 });
const options = { fieldKeys: 'id' };
const list = { ...onOrders('getAll'), returnAll: true, options };

function answerWith(body: string): void {
	testbed.inject({ kind: 'body', times: 100, body });
}

afterEach(() => expectCleanPrototypes());

describe('object keys such as __proto__', () => {
	const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'];
	const member = (name: string) => `"${name}":{"polluted":"yes","${name}":{"polluted":"yes"}}`;
	const fields = names.map(member).join();

	it('keys such as __proto__ in the answer to a write are returned as values', async () => {
		answerWith(`{"status":"SUCCESS","svcId":5,"data":{${fields},"1100002":"x"},${fields}}`);
		const { items } = await testbed.runById(createCustomer());
		const json = items[0]?.json ?? {};
		expect(json).toMatchObject({ '1100002': 'x' });
		expect(Object.getPrototypeOf(json)).toBe(Object.prototype);
	});

	it('keys such as __proto__ in the input are written only to fields with these names', async () => {
		const input: IDataObject = JSON.parse('{"__proto__":{"1100002":"x"},"constructor":"x"}');
		const result = await testbed.runById(
			{ ...createCustomer(), recordJson: '={{ $json.input }}' },
			[{ input }],
		);
		expect(result.status).toBe('error');
		expect(testbed.writes).toEqual([]);
	});
});

/** Number of values in a large answer. The largest pages need much memory. */
const million = amount(100_000, 1_000_000);
const depth = 100_000;
const lists = '['.repeat(depth) + ']'.repeat(depth);
const objects = '{"1":'.repeat(depth) + '1' + '}'.repeat(depth);

it.each([
	['lists', lists],
	['a record', `{"1":{"1000011":${objects}}}`],
])('an answer that is nested too deeply is rejected: %s', async (_name, body) => {
	answerWith(body);
	const result = await testbed.run(list);
	expect(result.status).toBe('error');
	expect(result.error?.message).toMatch(/^The answer of the service/);
});

/** Answers that a test parses only once, because writes are not repeated. */
it.each<[string, () => string]>([
	['the beginnings of lists', () => '['.repeat(10 * million)],
	['a long text', () => `"${'x'.repeat(100 * million)}"`],
	['a number of 400 KB', () => `[0.1${'0'.repeat(400_000)}1]`],
])('an oversized answer to a write is rejected: %s', async (_name, body) => {
	answerWith(body());
	const result = await testbed.runById(createCustomer());
	expect(result.status).toBe('error');
	expect(result.error?.message).toMatch(/service/);
	expect(result.recorded.length).toBeLessThan(50_000);
	expect(testbed.writes).toHaveLength(1);
});
