import { orders, salaries, type IdentityName } from '../../service';
import { addressOf } from './client';
import { useService } from './useService';

const { service, client } = useService();

const schema = '/acme/sales/orders/1/metadata/schema?api';
const definition = addressOf(orders, undefined, 'def');
const menu = '/acme?api';

async function ask(address: string, name: IdentityName = 'member') {
	return await client().send('GET', address, service().identities[name]);
}

describe('schema', () => {
	it('describes fields and subtables to an administrator', async () => {
		const reply = await ask(schema, 'admin');
		expect(reply.json()).toMatchObject({
			sheet: {
				sheetPath: '/sales/orders',
				sheetIndex: 1,
				sheetName: 'Orders',
				keyFieldId: 1000001,
			},
			fields: expect.arrayContaining([
				{
					fieldId: 1000002,
					fieldName: 'Customer Number',
					type: 'link',
					required: true,
					readOnly: false,
					computed: false,
					hidden: false,
				},
				expect.objectContaining({ fieldId: 512, type: 'text' }),
				expect.objectContaining({ fieldId: 1000009, computed: true }),
			]),
			subtables: [
				{
					subtableId: 2000001,
					name: 'Order Lines',
					fields: expect.arrayContaining([
						expect.objectContaining({ fieldId: 3000002, fieldName: 'Quantity', type: 'number' }),
					]),
				},
			],
		});
	});

	it('is refused to everyone else', async () => {
		expect((await ask(schema)).json()).toMatchObject({ status: 'ERROR', code: 106 });
	});
});

describe('definition', () => {
	it('names the fields for those who may read', async () => {
		const reply = await ask(definition, 'reader');
		expect(reply.json()).toMatchObject({
			fields: {
				fid1000002: { name: 'Customer Number', attr_must: true, attr_ro: false },
				stid2000001: { fid3000002: { name: 'Quantity' } },
			},
		});
		expect((await ask(definition, 'outsider')).json()).toMatchObject({ code: 106 });
	});
});

describe('menu', () => {
	it('shows the sheets that the caller may read', async () => {
		const forMember = await ask(menu);
		expect(forMember.json()).toMatchObject({
			acme: {
				children: { '/sales/orders': { children: { '1': { name: 'Orders', type: 'sheet' } } } },
			},
		});
		expect(forMember.text).not.toContain(salaries.name);
		expect((await ask(menu, 'admin')).text).toContain(salaries.name);
		expect((await ask(menu, 'outsider')).json()).toEqual({ acme: { children: {} } });
	});
});

describe.each([
	['schema', schema],
	['definition', definition],
	['menu', menu],
] as const)('%s', (way, address) => {
	it('can be turned off', async () => {
		service().switches[way] = 'code106';
		expect((await ask(address, 'admin')).json()).toMatchObject({ status: 'ERROR', code: 106 });
		service().switches[way] = 'http404';
		expect((await ask(address, 'admin')).status).toBe(404);
		service().switches[way] = 'html';
		expect((await ask(address, 'admin')).text).toContain('<html>');
	});
});
