import type { INodeParameters } from 'n8n-workflow';
import { orders, type IdentityName } from '../../service';
import { onOrder, onOrders, useRecordTestbed } from '../recordTestbed';
import { onLines, rowAsJson } from '../subtableRow/rowTestbed';
import { itemWithFiles, storedFiles, textFile } from './filesOnItem';
import { asJson, autoMapped, mapped, withFiles } from './recordValues';

const testbed = useRecordTestbed({ demoRecords: 10 });
const { fields } = orders;
const { lines } = orders.subtables;
const update = onOrder('update', 5);
const rowsKey = `_subtable_${lines.id}`;
const city = `City (${fields.city})`;

/** Returns the stored value of the mapper: the keys of the fields and their properties. */
function fromEditor(value: INodeParameters): INodeParameters {
	const nameOf = (id: string) => id.replace(/ .*/, '');
	const entry = (id: string) => ({ id, displayName: nameOf(id), type: 'string' });
	return mapped(value, [], Object.keys(value).map(entry));
}

async function run(parameters: INodeParameters, item: object = {}, identity?: IdentityName) {
	const result = await testbed.runById(parameters, [{ json: { ...item } }], testbed.as(identity));
	expect(result.error).toBeUndefined();
	return result.items;
}

const text = (fieldId: string) => testbed.order(5).text(fieldId);

describe('the stored value of the mapper', () => {
	it('is written after one look-up of the kinds of the fields, also with plain IDs as in earlier versions', async () => {
		for (const key of [city, fields.city])
			await run({ ...update, ...fromEditor({ [key]: 'Graz' }) });
		const isByName = ({ rawUrl }: { rawUrl: string }) => rawUrl.includes('FNAME');
		expect(testbed.reads.filter(isByName)).toEqual([]);
		expect(testbed.reads.length).toBeLessThanOrEqual(4);
		expect(testbed.bodies).toEqual([{ [fields.city]: 'Graz' }, { [fields.city]: 'Graz' }]);
	});

	it('is rejected if a field is given twice', async () => {
		const values = fromEditor({ [city]: 'Graz', [fields.city]: 'Wien' });
		await testbed.expectRefused({ ...update, ...values }, [{}], "both stand for the field 'City'");
	});

	it('has the list in a text of a multiple selection, although neither its choices nor its kind are known', async () => {
		Object.assign(testbed.service.switches, { schema: 'code106', definition: 'code106' });
		for (const record of testbed.orders.records.values()) record.set(fields.tags, '');
		const schema = [{ id: fields.tags, displayName: 'Tags', type: 'string', options: [] }];
		await run({ ...update, ...mapped({ [fields.tags]: 'Gift, Repeat' }, [], schema) });
		expect(testbed.bodies).toEqual([{ [fields.tags]: ['Gift', 'Repeat'] }]);
	});

	it('may contain values of a row', async () => {
		const article = `Article (${lines.fields.article})`;
		await run(onLines('add', fromEditor({ [article]: 'Vase' })), { order: 5 });
		expect(testbed.reads.filter(({ rawUrl }) => /schema|def/.test(rawUrl))).toEqual([]);
		expect(testbed.bodies).toEqual([{ [rowsKey]: { '-1': { [lines.fields.article]: 'Vase' } } }]);
	});
});

describe('a field key that consists of name and ID', () => {
	it('is accepted in rows', async () => {
		const key = `Product (${lines.fields.article})`;
		const record = { [rowsKey]: [{ [key]: 'Vase' }] };
		await run({ ...update, ...asJson(record) }, {}, 'admin');
		await run(onLines('add', rowAsJson({ [key]: 'Vase' })), { order: 5 });
		const body = { [rowsKey]: { '-1': { [lines.fields.article]: 'Vase' } } };
		expect(testbed.bodies).toEqual([body, body]);
	});

	it.each<[string, INodeParameters, object, object]>([
		[
			'omitted if its ID is ignored, regardless of the name',
			{ ignoreFields: [`Town (${fields.city})`] },
			{ City: 'Graz', Remark: 'new' },
			{ [fields.remark]: 'new' },
		],
		[
			'unknown if the sheet does not have the field',
			{ unknownFields: 'ignore' },
			{ City: 'Graz', 'Rate (2024)': '5', 'Account (1200000)': '7' },
			{ [fields.city]: 'Graz' },
		],
	])('of an item is %s', async (_, options, item, body) => {
		await run({ ...update, ...autoMapped(), options }, item);
		expect(testbed.bodies).toEqual([body]);
	});

	it.each([
		['name', ['City', 'Reference']],
		['id', [fields.reference, fields.city]],
	])('is accepted in Only Fields: by %s', async (fieldKeys, keys) => {
		const options = { fieldKeys, onlyFields: `Town (${fields.city}), ${fields.reference}` };
		const [item] = await run({ ...onOrders('getAll'), limit: 1, options });
		const added = /^_(?:recordId|title|starred)$/;
		expect(Object.keys(item?.json ?? {}).filter((key) => !added.test(key))).toEqual(keys);
	});

	it('is accepted for files', async () => {
		const files = withFiles([`Agreement (${fields.contract})`, 'data']);
		const item = await itemWithFiles({}, { data: textFile('contract.txt') });
		const { error } = await testbed.runById({ ...update, ...mapped({}), ...files }, [item]);
		expect(error).toBeUndefined();
		expect(storedFiles(testbed.service, orders, 5, fields.contract)).toHaveLength(1);
	});
});

describe('a sheet whose list of fields is not available', () => {
	afterEach(() => jest.restoreAllMocks());
	beforeEach(() => {
		// The cached lists have expired.
		const now = performance.now() + 3_600_000;
		jest.spyOn(performance, 'now').mockImplementation(() => now);
		const when = ({ method }: { method: string }) => method === 'GET';
		testbed.inject({ kind: 'body', body: '{}', times: Infinity, when });
	});

	it.each([
		['JSON', asJson({ [`Town (${fields.city})`]: 'Graz', [`Ref. (${fields.reference})`]: 'R' })],
		['the mapper', fromEditor({ [city]: 'Graz', [`Reference (${fields.reference})`]: 'R' })],
	])('a key with the ID is written: %s', async (_, values) => {
		await run({ ...update, ...values });
		expect([text(fields.city), text(fields.reference)]).toEqual(['Graz', 'R']);
	});

	it('a name in addition to the key with the ID is rejected, and nothing is written', async () => {
		const values = asJson({ [city]: 'Graz', Remark: 'x' });
		const expectedError = "'Remark' cannot be found by its name";
		await testbed.expectRefused({ ...update, ...values }, [{}], expectedError);
	});
});
