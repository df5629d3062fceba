import { customers, orders, type IdentityName } from '../../service';
import { addressOf } from './client';
import { useService } from './useService';

const { service, client } = useService();
const { fields } = customers;

const sheet = () => service().data.sheet(customers);

async function startImport(name: IdentityName, body: object | string = 'importData=') {
	const isForm = typeof body === 'string';
	return await client().send('POST', addressOf(customers), service().identities[name], {
		headers: {
			'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
		},
		body: isForm ? body : JSON.stringify(body),
	});
}

it('changes records with the same key and creates the others', async () => {
	sheet().periodicImport.enabled = true;
	const reply = await startImport('admin');
	expect(reply.json()).toEqual({ status: 'SUCCESS', msg: 'Import started.' });
	expect(sheet().record(2).text(fields.city)).toBe('Reykjavík');
	expect(sheet().record(2).text(fields.name)).not.toBe('');
	expect(sheet().records.size).toBe(301);
	expect(sheet().record(301).text(fields.name)).toBe('Imported & Sons');
});

it('takes the parameter in a JSON body as well', async () => {
	sheet().periodicImport.enabled = true;
	expect((await startImport('admin', { importData: '' })).json()).toMatchObject({
		status: 'SUCCESS',
	});
	expect(sheet().records.size).toBe(301);
});

it('imports once what is imported twice', async () => {
	sheet().periodicImport.enabled = true;
	await startImport('admin');
	await startImport('admin');
	expect(sheet().records.size).toBe(301);
});

it('is for SYSAdmin only, who may write or not', async () => {
	sheet().periodicImport.enabled = true;
	expect((await startImport('member')).json()).toMatchObject({ status: 'ERROR', code: 106 });
	expect((await startImport('outsider')).json()).toMatchObject({ code: 106 });
	expect(sheet().records.size).toBe(300);
});

it('must be enabled on the sheet first', async () => {
	expect((await startImport('admin')).json()).toMatchObject({
		status: 'ERROR',
		code: 202,
		msg: 'Periodic import from URL is not enabled on this sheet.',
	});
	const elsewhere = await client().send('POST', addressOf(orders), service().identities.admin, {
		headers: { 'content-type': 'application/x-www-form-urlencoded' },
		body: 'importData=',
	});
	expect(elsewhere.json()).toMatchObject({ code: 202 });
	expect(sheet().records.size).toBe(300);
});

it('reads from the source that is set up, and says when there is none', async () => {
	const url = 'https://exports.example/other.json';
	sheet().periodicImport = { enabled: true, url };
	expect((await startImport('admin')).json()).toMatchObject({ code: 202 });
	service().data.importSources.set(url, [{ [fields.customerNumber]: 'C-0777' }]);
	expect((await startImport('admin')).json()).toMatchObject({ status: 'SUCCESS' });
	expect(sheet().record(301).text(fields.customerNumber)).toBe('C-0777');
});

it('begins anew after a reset', async () => {
	sheet().periodicImport.enabled = true;
	await startImport('admin');
	service().reset();
	expect(sheet().periodicImport.enabled).toBe(false);
	expect(sheet().records.size).toBe(300);
});
