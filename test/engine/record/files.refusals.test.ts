import { orders } from '../../service';
import { linksOf, sheet, useRecordTestbed } from '../recordTestbed';
import { itemWithFiles, textFile } from './filesOnItem';
import { asJson, withFiles } from './recordValues';

const testbed = useRecordTestbed();
const { fields } = orders;

const create = {
	operation: 'create',
	sheet: sheet(orders),
	...asJson({ [fields.customerNumber]: 'C-0001' }),
};
const withContract = { ...create, ...withFiles([fields.contract, 'data']) };
const oneFile = async () => await itemWithFiles({}, { data: textFile('a.txt') });

const created = () => testbed.service.data.sheet(orders).records.size - 300;

describe('a file that the item does not have', () => {
	it('stops before anything is sent, with the number of the item and the names of its files', async () => {
		const result = await testbed.run(withContract, [
			await itemWithFiles({}, { photo: textFile('photo.txt'), scan: textFile('scan.txt') }),
		]);
		expect(result.error).toMatchObject({
			message: expect.stringContaining("'data'"),
			description: expect.stringMatching(/'photo'.*'scan'/),
			context: { itemIndex: 0 },
		});
		expect(testbed.service.requests.count).toBe(0);
	});

	it('may be one of several, or have no name', async () => {
		const wrong = ['a, missing', '', ' ', 'a,', ',a'];
		const items = await Promise.all(
			wrong.map(async (name) => await itemWithFiles({ name }, { a: textFile('a.txt') })),
		);
		const files = withFiles([fields.contract, '={{ $json.name }}']);
		const result = await testbed.run({ ...create, ...files }, items, {
			onError: 'continueErrorOutput',
		});
		expect(linksOf(result.errorItems)).toEqual(wrong.map((_, item) => ({ item })));
		expect(result.errorItems[0]?.json.error).toContain("'missing'");
		expect(testbed.service.requests.count).toBe(0);
	});

	it('among the fields of the item is told with its path', async () => {
		const item = await itemWithFiles({}, { photo: textFile('photo.txt') });
		const result = await testbed.run(withContract, [item], { binaryMode: 'combined' });
		expect(result.error?.description).toContain("'_files.photo'");
		expect(testbed.service.requests.count).toBe(0);
	});
});

describe('a field for files', () => {
	it('that takes none is refused by the service', async () => {
		const files = withFiles([fields.remark, 'data']);
		const result = await testbed.run({ ...create, ...files }, [await oneFile()]);
		expect(result.error?.message).toContain('takes no file');
		expect(created()).toBe(0);
	});
});
