import type { GenericValue } from 'n8n-workflow';
import { recordId, sheetAt, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed();

const good = { sheet: 'sales/orders/1', id: '1' };
const get = (mode = 'path') => ({
	operation: 'get',
	sheet: { ...sheetAt('={{ $json.sheet }}'), mode },
	recordId: recordId('={{ $json.id }}'),
});

/** Reads a valid item and then invalid items, which must send no request. Returns the errors of the invalid items. */
async function errorsOf(bad: Array<{ sheet?: GenericValue; id?: GenericValue }>, mode = 'path') {
	const items = [good, ...bad.map((values) => ({ ...good, ...values }))];
	const result = await testbed.runAll(get(mode), items);
	expect(testbed.reads.map(({ path }) => path)).toEqual(['/acme/sales/orders/1/1']);
	testbed.service.requests.clear();
	expect(result.records).toEqual(['1 #0']);
	expect(result.errorItems.map(({ pairedItem }) => pairedItem)).toEqual(
		bad.map((_, index) => ({ item: index + 1 })),
	);
	return result.errorItems.map(({ json }) => String(json.error));
}

async function toldOfSheets(sheets: GenericValue[], mode?: string) {
	const bad = sheets.map((sheet) => ({ sheet }));
	return await errorsOf(bad, mode);
}
const toldOfRecords = async (ids: GenericValue[]) => await errorsOf(ids.map((id) => ({ id })));

const at = (path: string) => `${testbed.service.baseUrl}${path}`;

describe('the sheet of a read', () => {
	it('a missing sheet is rejected', async () => {
		for (const text of await toldOfSheets(['', '  ', null, undefined]))
			expect(text).toMatch(/'Sheet'/);
	});

	it('a sheet of another account, on another host, or at an address with a user name is rejected', async () => {
		const [account, secret = '', ...hosts] = await toldOfSheets(
			[
				at('/acne/sales/orders/1'),
				at('/acme/sales/orders/1').replace('https://', 'https://me:pw@'),
				'https://other.localhost/acme/sales/orders/1',
				'https://localhost:1/acme/sales/orders/1',
				'https://localhost.evil.example/acme/sales/orders/1',
				'https://evil.example\\@localhost/acme/sales/orders/1',
			],
			'url',
		);
		expect(account).toMatch(/'acne'.*'acme'/);
		expect(secret).toMatch(/user name or password/);
		expect(secret).not.toContain('me:pw');
		for (const text of hosts) expect(text).toMatch(/address/);
	});
});

describe('the record ID of a read', () => {
	it('a missing record ID is rejected', async () => {
		for (const text of await toldOfRecords(['', null, undefined])) expect(text).toMatch(/'Record'/);
	});

	it('a record ID that is not a number is rejected', async () => {
		const wrong = ['abc', '1.5', '-1', '1e3', '0x10', '1 2', '1/2', '1?api', '..', '9'.repeat(30)];
		expect(await toldOfRecords(wrong)).toEqual(
			wrong.map(
				(id) =>
					`'${id}' in 'Record' is not a record ID. A record ID is a whole number, e.g. 17. To get it from a value such as an order number, use Record: Get with 'Get By' set to 'Match'.`,
			),
		);
	});

	it('a record address of another sheet, account or host, or of a sheet, is rejected', async () => {
		const otherAddresses = ['sales/customers/2', 'sales/customers/1', 'sales/orders/2'];
		const texts = await toldOfRecords([
			...otherAddresses.map((path) => at(`/acme/${path}/5`)),
			at('/acme/sales/orders/1'),
			at('/acne/sales/orders/1/5'),
			'https://evil.example/acme/sales/orders/1/5',
		]);
		expect(texts).toEqual([
			...[...otherAddresses, ''].map(() =>
				expect.stringMatching(/not the address of a record.*sales\/orders\/1/),
			),
			expect.stringMatching(/account/),
			expect.stringMatching(/evil\.example/),
		]);
	});
});
