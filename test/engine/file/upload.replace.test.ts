import { customers, orders, type SeenRequest } from '../../service';
import { asJson, filesOption } from '../record/recordValues';
import { onOrder, recordId, RecordTestbed, sheet, useRecordTestbed } from '../recordTestbed';
import { refusal, retrying } from '../retryOnFail/retrying';
import { BinaryDataService, Container } from '../runner/core';
import { itemWithFiles, storedFiles, textFile, upload } from './fileTestbed';

const testbed = useRecordTestbed();
const { fields } = orders;

const contents = (id = 50) =>
	storedFiles(testbed.service, orders, id, fields.contract).map((file) => file?.content.toString());

const replace = (overrides = {}) => upload(50, { uploadMode: 'replace', ...overrides });

async function run(parameters = replace()) {
	return await testbed.runById(parameters, [
		await itemWithFiles({}, { data: textFile('b.txt', 'B') }),
	]);
}

const isUpload = ({ files }: Pick<SeenRequest, 'files'>) => files.length > 0;

/** Returns the parameters of a write that replaces the files of a field. */
function written(operation: string, field: string) {
	return {
		...onOrder(operation, '={{ $json.id ?? 50 }}'),
		...asJson({ [fields.reference]: 'only this' }),
		matchFields: [fields.reference],
		options: { ...filesOption([field, 'data']), filesMode: 'replace' },
	};
}

describe('replacing the files of a field', () => {
	it('replacing reads the field, empties it, then uploads, with the options in both requests', async () => {
		const result = await run(replace({ options: { notification: false } }));
		expect(result.items).toMatchObject([{ json: { _recordId: 50, _fileNames: ['b.txt'] } }]);
		expect(contents()).toEqual(['B']);
		expect(testbed.service.requests.all().map(({ method, body }) => [method, body])).toEqual([
			['GET', undefined],
			// The type of the field is looked up in the schema, which is rejected twice, and in the definition.
			['GET', undefined],
			['GET', undefined],
			['GET', undefined],
			['POST', { [fields.contract]: '' }],
			['POST', []],
		]);
		const url = '/acme/sales/orders/1/50?api&notification=false';
		expect(testbed.writeUrls).toEqual([url, url]);
	});

	it.each([
		['upload', upload('={{ $json.id }}', { uploadMode: 'replace', fieldId: '={{ $json.field }}' })],
		['update', written('update', '={{ $json.field }}')],
	])(
		'replacing uploads the files of all items for one field together: %s',
		async (_, parameters) => {
			await run(upload(60));
			const item = async (id: number, name: string, field = 'Contract') =>
				await itemWithFiles({ id, field }, { data: textFile(`${name}.txt`, name) });
			const items = [
				await item(50, 'A'),
				await item(60, 'B'),
				await item(50, 'C', fields.contract),
				await item(50, 'D'),
			];
			testbed.service.requests.clear();
			testbed.inject({ ...refusal, when: isUpload, times: 1 });
			let uploads = 0;
			const third = (seen: SeenRequest) => isUpload(seen) && ++uploads === 4;
			testbed.inject({ ...refusal, when: third });
			const result = await testbed.runById(parameters, items, retrying);
			expect(result.error).toBeUndefined();
			expect(result.items).toHaveLength(4);
			expect(contents()).toEqual(['A', 'C', 'D']);
			expect(contents(60)).toEqual(['B']);
			expect(testbed.writes.filter(isUpload)).toHaveLength(6);
			expect(testbed.writes).toHaveLength(8);
		},
	);

	it.each([
		['upload', replace()],
		['update', written('update', 'Contract')],
	])(
		'replacing keeps the files of all items for a field that had no file: %s',
		async (_, parameters) => {
			testbed.order(50).set(fields.contract, '');
			const items = ['A', 'B', 'C'].map(
				async (name) => await itemWithFiles({}, { data: textFile(`${name}.txt`, name) }),
			);
			const { error } = await testbed.runById(parameters, await Promise.all(items));
			expect(error).toBeUndefined();
			expect(contents()).toEqual(['A', 'B', 'C']);
		},
	);

	it('replacing keeps the files of all items, including items of other users of the account', async () => {
		const items = ['apiKey', 'session'].map(
			async (by) => await itemWithFiles({ by }, { data: textFile(`${by}.txt`, by) }),
		);
		const parameters = replace({ authentication: '={{ $json.by }}' });
		const { error } = await testbed.runById(parameters, await Promise.all(items), {
			credentials: { ...testbed.credentials('admin'), ...testbed.sessionCredentials() },
		});
		expect(error).toBeUndefined();
		const fileValues = testbed.order(50).value(fields.contract);
		expect([fileValues].flat().filter((file) => file !== '')).toHaveLength(2);
	});

	it('replacing empties the field in each of two accounts with the same path and ID', async () => {
		const otherTestbed = new RecordTestbed();
		await otherTestbed.start({ demoRecords: 60 });
		const items = ['apiKey', 'session'].map(
			async (by) => await itemWithFiles({ by }, { data: textFile('b.txt', 'B') }),
		);
		const parameters = replace({ authentication: '={{ $json.by }}' });
		const { error } = await testbed.runById(parameters, await Promise.all(items), {
			credentials: { ...testbed.credentials(), ...otherTestbed.sessionCredentials() },
		});
		const records = [testbed, otherTestbed].map(({ service }) => service.data.record(orders, 50));
		await otherTestbed.stop();
		expect(error).toBeUndefined();
		expect(records.map((order) => order.value(fields.contract).length)).toEqual([1, 1]);
	});

	it('an image of rich text, whose value has no prefix, is replaced in a file field', async () => {
		testbed.order(50).set(fields.contract, '_clipboard1700000000000.png');
		const item = await itemWithFiles({}, { data: textFile('b.txt', 'B') });
		const { error } = await testbed.runById(replace(), [item], testbed.as('admin'));
		expect(error).toBeUndefined();
		expect(contents()).toEqual(['B']);
	});

	it('a file that cannot be read empties no field', async () => {
		const before = contents();
		const opening = jest.spyOn(Container.get(BinaryDataService), 'getAsStream');
		opening.mockRejectedValue(new Error('The disk is gone'));
		for (const parameters of [replace(), written('update', 'Contract')]) {
			const result = await run(parameters);
			expect(result.error?.message).toBe(
				"n8n could not read the file 'b.txt' from its own storage. Nothing was sent",
			);
			expect(result.error?.description).toContain('The disk is gone');
			expect(testbed.writes).toEqual([]);
		}
		opening.mockRestore();
		expect(contents()).toEqual(before);
	});
});

describe('a replacement that fails', () => {
	it('a failed replacement changes nothing if the field cannot be emptied', async () => {
		const before = contents();
		testbed.inject({
			kind: 'body',
			body: '{"status":"INVALID","code":202,"msg":"Contract is required"}',
			when: ({ method }) => method === 'POST',
		});
		const { error } = await run();
		expect(error?.message).toContain('Contract is required');
		expect(error?.message).not.toContain('now empty');
		expect(contents()).toEqual(before);
		expect(testbed.writes).toHaveLength(1);
	});

	it('a value that the service rejects keeps the old files', async () => {
		const before = contents();
		const options = { ...written('update', 'Contract').options, clearEmpty: true };
		const values = { [fields.reference]: 'new', [fields.customerNumber]: '' };
		const result = await run({ ...onOrder('update', 50), ...asJson(values), options });
		expect(result.error?.message).toContain('"Customer Number" (1000002) must not be empty');
		expect(contents()).toEqual(before);
		expect(testbed.order(50).text(fields.reference)).not.toBe('new');
	});

	it('a file that is refused after the values were saved with the emptied field says so', async () => {
		testbed.refuse(isUpload);
		const { error } = await run(written('update', 'Contract'));
		expect(error?.description).toContain('Other values may be saved.');
		expect(testbed.order(50).text(fields.reference)).toBe('only this');
		expect((await run(written('update', 'Contract'))).error).toBeUndefined();
		expect(contents()).toEqual(['B']);
	});

	it.each([
		{ before: 'files', writes: [false, true, true, true], isEmptied: true },
		{ before: 'no file', writes: [true, true, true], isEmptied: false },
	])(
		'a replacement that fails in each attempt says that the old files are gone, in a field with $before: $isEmptied',
		async ({ writes, isEmptied }) => {
			if (!isEmptied) testbed.order(50).set(fields.contract, '');
			testbed.inject({ ...refusal, when: isUpload, times: Infinity });
			const item = await itemWithFiles({}, { data: textFile('b.txt', 'B') });
			const { error } = await testbed.runById(replace(), [item], retrying);
			expect(testbed.writes.map(isUpload)).toEqual(writes);
			const text = 'The field is now empty: the old files were removed';
			expect(error?.message.includes(text)).toBe(isEmptied);
			expect(contents()).toEqual([]);
		},
	);

	it.each([
		['upload', replace({ recordId: recordId(50) })],
		['update', written('update', 'Contract')],
	])(
		'a file that is refused after that of an earlier item says nothing of an empty field: %s',
		async (_, parameters) => {
			let uploads = 0;
			testbed.refuse((request) => isUpload(request) && ++uploads === 2);
			const items = ['first', 'second'].map(
				async (name) => await itemWithFiles({ id: 50 }, { data: textFile(`${name}.txt`, name) }),
			);
			const result = await testbed.runAllById(parameters, await Promise.all(items));
			testbed.expectErrors(result, { 1: /^Error executing the request: No\./ });
			expect(JSON.stringify(result.errorItems)).not.toContain('is now empty');
			expect(contents()).toEqual(['first']);
		},
	);

	it.each(['admin', 'member'] as const)(
		'a replacement does not remove an e-mail address: %s',
		async (identity) => {
			const address = 'joe@example.com';
			const record = testbed.service.data.record(customers, 5);
			record.set(customers.fields.email, address);
			const item = await itemWithFiles({}, { data: textFile('b.txt', 'B') });
			const fieldId = customers.fields.email;
			const { error } = await testbed.runById(
				replace({ sheet: sheet(customers), recordId: recordId(5), fieldId }),
				[item],
				testbed.as(identity),
			);
			expect(error?.message).toContain('so it was not cleared');
			expect(error?.description).toContain('add the files');
			expect(record.text(fieldId)).toBe(address);
			expect(testbed.writes).toEqual([]);
		},
	);

	it('a replacement does not remove the files of a field that also holds a text', async () => {
		const mixed = [testbed.order(50).text(fields.contract), 'see the e-mail'];
		testbed.order(50).set(fields.contract, mixed);
		const item = await itemWithFiles({}, { data: textFile('b.txt', 'B') });
		const { error } = await testbed.runById(replace({}), [item], testbed.as('admin'));
		expect(error?.message).toContain('may contain values that are not files');
		expect(testbed.order(50).value(fields.contract)).toEqual(mixed);
	});

	it("a replacement does not remove a text that looks like a file, if the field's type is known", async () => {
		const order = testbed.order(50);
		order.set(fields.remark, 'kq2Ab@contract.pdf');
		const item = await itemWithFiles({}, { data: textFile('b.txt', 'B') });
		const credentials = testbed.credentials('admin');
		const { error } = await testbed.runById(replace({ fieldId: fields.remark }), [item], {
			credentials,
		});
		expect(error?.message).toContain('may contain values that are not files');
		expect(order.text(fields.remark)).toBe('kq2Ab@contract.pdf');
		expect(testbed.writes).toEqual([]);
	});

	it('a replacement writes nothing to a record that does not exist', async () => {
		const { error } = await run(replace({ recordId: recordId(99_999) }));
		expect(error?.message).toContain('no record 99999');
		expect(testbed.writes).toEqual([]);
	});
});
