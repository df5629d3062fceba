import { customers, orders } from '../../service';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { itemWithFiles, storedFiles, textFile, upload } from './fileTestbed';

const testbed = useRecordTestbed();
const { fields } = orders;

const contents = () =>
	storedFiles(testbed.service, orders, 50, fields.contract).map((file) => file?.content.toString());

const replace = (more = {}) => upload(50, { uploadMode: 'replace', ...more });

async function run(parameters = replace()) {
	return await testbed.run(parameters, [await itemWithFiles({}, { data: textFile('b.txt', 'B') })]);
}

const isUpload = ({ files }: { files: unknown[] }) => files.length > 0;

describe('replacing', () => {
	it('looks at the field, empties it, then uploads', async () => {
		const result = await run();
		expect(result.items).toMatchObject([{ json: { _recordId: 50, _fileNames: ['b.txt'] } }]);
		expect(contents()).toEqual(['B']);
		expect(testbed.service.requests.all().map(({ method, body }) => [method, body])).toEqual([
			['GET', undefined],
			// What kind of field it is: the schema, which is refused, and the definition.
			['GET', undefined],
			['GET', undefined],
			['POST', { [fields.contract]: '' }],
			['POST', []],
		]);
	});

	it('replaces several files by several', async () => {
		await run(upload(50));
		const item = await itemWithFiles({}, { a: textFile('a.txt', 'A'), c: textFile('c.txt', 'C') });
		await testbed.run(replace({ inputDataFieldName: 'a,c' }), [item]);
		expect(contents()).toEqual(['A', 'C']);
	});

	it('sends the options with both changes', async () => {
		await run(replace({ options: { notification: false } }));
		expect(testbed.writes.map(({ rawUrl }) => rawUrl)).toEqual([
			'/acme/sales/orders/1/50?api&notification=false',
			'/acme/sales/orders/1/50?api&notification=false',
		]);
	});
});

describe('a replacement that fails', () => {
	it('says that the field is now empty', async () => {
		const body = '{"status":"INVALID","code":202,"msg":"Too large"}';
		testbed.service.faults.inject({ kind: 'body', body, when: isUpload });
		const { error, items } = await run();
		expect(items).toEqual([]);
		expect(error?.message).toContain(`The field ${fields.contract} is now empty`);
		expect(error?.description).toContain('Run the upload again');
		expect(contents()).toEqual([]);
		expect(testbed.writes).toHaveLength(2);
	});

	it('does not say what nobody knows', async () => {
		testbed.service.faults.inject({ kind: 'body', body: '{"svcId":50}', when: isUpload });
		const { error } = await run();
		expect(error?.message).toContain('it is not known whether the new ones were uploaded');
		expect(error?.message).not.toContain('now empty');
		expect(error?.description).toContain('It is not known whether the change was made');
		expect(testbed.writes).toHaveLength(2);
	});

	it('leaves everything when the field cannot be emptied', async () => {
		const before = contents();
		testbed.service.faults.inject({
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

	it.each<[what: string, fieldId: string, value: string | string[]]>([
		['a text', fields.remark, 'Important'],
		['a selection', fields.tags, ['Gift', 'Export']],
	])('leaves %s alone', async (_, fieldId, value) => {
		const order = testbed.service.data.record(orders, 50).set(fieldId, value);
		const { error } = await run(replace({ fieldId }));
		expect(error?.message).toContain('not emptied');
		expect(order.value(fieldId)).toEqual(value);
		expect(testbed.writes).toEqual([]);
	});

	it.each(['admin', 'member'] as const)('leaves an e-mail address alone: %s', async (identity) => {
		const address = 'joe@example.com';
		const record = testbed.service.data.record(customers, 5);
		record.set(customers.fields.email, address);
		const item = await itemWithFiles({}, { data: textFile('b.txt', 'B') });
		const fieldId = customers.fields.email;
		const { error } = await testbed.run(
			replace({ sheet: sheet(customers), recordId: recordId(5), fieldId }),
			[item],
			{ credentials: testbed.credentials(identity) },
		);
		expect(error?.message).toContain('so it was not emptied');
		expect(error?.description).toContain("'Upload Mode' to 'Add'");
		expect(record.text(fieldId)).toBe(address);
		expect(testbed.writes).toEqual([]);
	});

	it('leaves a text alone that reads like a file, where the type of its field is known', async () => {
		const order = testbed.service.data.record(orders, 50);
		order.set(fields.remark, 'kq2Ab@contract.pdf');
		const item = await itemWithFiles({}, { data: textFile('b.txt', 'B') });
		const credentials = testbed.credentials('admin');
		const { error } = await testbed.run(replace({ fieldId: fields.remark }), [item], {
			credentials,
		});
		expect(error?.message).toContain('something else than files');
		expect(order.text(fields.remark)).toBe('kq2Ab@contract.pdf');
		expect(testbed.writes).toEqual([]);
	});

	it('writes nothing to a record that is not there', async () => {
		const { error } = await run(replace({ recordId: recordId(99_999) }));
		expect(error?.message).toContain('no record 99999');
		expect(testbed.writes).toEqual([]);
	});
});

it('adding that fails tells of a field that takes no files', async () => {
	const { error } = await run(upload(50, { fieldId: fields.remark }));
	expect(error?.message).toContain('takes no file');
});
