import { customers, orders } from '../../service';
import { addressOf, refused } from './client';
import { useService } from './useService';

const { service, client } = useService({ demoRecords: 50 });
const { fields } = orders;
const valid = { [fields.customerNumber]: 'C-0001' };

describe('an address', () => {
	it.each([
		[101, '/other/sales/orders/1?api', 'other'],
		[102, '/acme/sales/nothing/1?api', '/sales/nothing/1'],
		[102, '/acme/archive/2024?api', '/archive/2024'],
		[103, '/acme/sales/orders/8?api', '8'],
		[103, '/acme/sales/orders/8/12?api', '8'],
		[103, '/acme/sales/orders/8/metadata/actionButton?api', '8'],
		[103, '/acme/sales/orders?api', ''],
		[102, '/acme/sales/orders/1/abc?api', '/sales/orders/1/abc'],
		[102, '/acme/sales/orders/1/1/2?api', '/sales/orders/1/1/2'],
	])('that is wrong has code %i: %s', async (code, address, named) => {
		const reply = await client().get(address);
		expect(reply).toMatchObject({ status: 200 });
		expect(reply.json()).toEqual({ ...refused(code), msg: expect.stringMatching(`: ${named}$`) });
	});

	it('of the interface for people is a page', async () => {
		const reply = await client().get('/acme/sales/orders/1?PAGEID=abc');
		expect(reply).toMatchObject({ status: 200, text: expect.stringContaining('<html>') });
	});
});

describe('an error', () => {
	const codeOf = async (address: string) => (await client().get(address)).json();
	const anyOrder = addressOf(orders, 1);

	it.each([
		['expired', 303],
		['withoutResources', 107],
	] as const)('comes wherever the account is %s', async (accountState, code) => {
		Object.assign(service().switches, { accountState, filesAreOpen: true });
		for (const address of [anyOrder, '/acme?api', '/sims/file.jsp?a=acme&f=x']) {
			expect(await codeOf(address)).toEqual(refused(code));
		}
		service().switches.errorTransport = 'httpStatus';
		expect((await client().get(anyOrder)).status).toBe(code === 303 ? 402 : 500);
	});

	it('comes from a form that fails to load (108), is full (109) or takes no POST (104)', async () => {
		const sheet = service().data.sheet(orders);
		sheet.maximumRecords = sheet.records.size;
		expect((await client().postJson(addressOf(orders), valid)).json()).toEqual(refused(109));
		sheet.acceptsPost = false;
		expect((await client().postJson(addressOf(orders), valid)).json()).toEqual(refused(104));
		sheet.canBeLoaded = false;
		for (const address of [anyOrder, addressOf(orders), '/acme/sales/orders/1/1.pdf?api']) {
			expect(await codeOf(address)).toEqual(refused(108));
		}
		expect(await codeOf(addressOf(customers, 1))).toHaveProperty('1');
	});

	it.each([
		['undone', ''],
		['done', 'late'],
	] as const)('comes of a POST that does not finish: %s', async (unfinishedPosts, stored) => {
		service().switches.unfinishedPosts = unfinishedPosts;
		const { remark } = fields;
		service().data.record(orders, 1).set(remark, '');
		expect((await client().postJson(anyOrder, { [remark]: 'late' })).json()).toEqual(refused(203));
		expect(service().data.record(orders, 1).text(remark)).toBe(stored);
		const put = await client().postJson(anyOrder, { [remark]: 'x' }, 'member', 'PUT');
		expect(put.json()).toMatchObject({ status: 'SUCCESS' });
	});
});

it('parameters of lists are passed over by the reading of one record, unless strange ones are refused', async () => {
	const ofList = ['listing=true', 'limit=0', 'reverse=true', `where=${fields.city},eq,`];
	const plain = (await client().get(addressOf(orders, 2))).text;
	for (const query of ofList)
		expect((await client().get(addressOf(orders, 2, query))).text).toBe(plain);
	service().switches.unknownReadParameter = 'code102';
	for (const query of ofList) {
		expect((await client().get(addressOf(orders, 2, query))).json()).toEqual(refused(102));
	}
	const own = 'naming=EID&info=true&tz=2&version=2025-01-01&fetchDomainIds=512';
	expect((await client().get(addressOf(orders, 2, own))).json()).toHaveProperty('2');
});
