import { orders } from '../../service';
import { addressOf, refused } from './client';
import { useService } from './useService';

const { service, client } = useService({ demoRecords: 50 });
const { fields } = orders;

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
