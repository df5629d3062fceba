import { FormData } from 'undici';
import { customers, orders, recipes, type SheetAddress } from '../../service';
import { addressOf, type RequestOptions } from './client';
import { useService } from './useService';

const { service, client } = useService();
const { fields, buttons } = orders;
const { lines } = orders.subtables;

const createDate = '105';
const lastUpdateDate = '109';
const minute = 60_000;
const tenToTwelve = Date.UTC(2030, 0, 1, 11, 50, 30);

async function changedSince(
	time: string,
	sheet: SheetAddress = orders,
	more = '',
): Promise<number[]> {
	const query = `where=${lastUpdateDate},gte,${encodeURIComponent(time)}&subtables=0${more}`;
	return (await client().get(addressOf(sheet, undefined, query))).ids();
}

async function post(address: string, options: RequestOptions = {}): Promise<void> {
	const reply = await client().send('POST', address, service().identities.admin, options);
	expect(reply.json()).not.toMatchObject({ status: 'ERROR' });
}

async function massOperation(type: string, body: unknown, recordId = 10): Promise<void> {
	await post(`/acme/sales/orders/1/massOperation/${type}?api&recordId=${recordId}`, {
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	service().tasks.step(Infinity);
}

function form(parts: Record<string, string | Blob>): RequestOptions {
	const body = new FormData();
	for (const [name, value] of Object.entries(parts)) {
		if (typeof value === 'string') body.append(name, value);
		else body.append(name, value, 'a.txt');
	}
	return { body };
}

type Way = () => unknown;

const updates: Record<string, Way> = {
	'an update': async () => await client().postJson(addressOf(orders, 10), { [fields.remark]: 'x' }),
	'an update that changes nothing': async () => await client().postJson(addressOf(orders, 10), {}),
	'a new row': async () =>
		await client().postForm(addressOf(orders, 10), [[`${lines.fields.article}_-1`, 'Pen']]),
	'a deleted row': async () =>
		await client().postForm(addressOf(orders, 10), [[`DELSUB_${lines.id}`, '1']]),
	'a file': async () =>
		await post(addressOf(orders, 10), form({ [fields.contract]: new Blob(['a']) })),
	'an action button': async () => await post(addressOf(orders, 10, `bId=${buttons.ship}`)),
	'a mass update': async () =>
		await massOperation('massUpdate', { action: [{ field: fields.remark, value: 'x' }] }),
	'a search and replace': async () =>
		await massOperation('massSearchReplace', {
			action: [{ field: fields.remark, valueReplaced: 'a', valueNew: 'b' }],
		}),
	'a mass action button': async () =>
		await massOperation('massActionButton', { buttonId: buttons.ship }),
	'an edit in the interface': () => service().people.edit(orders, 10, { [fields.remark]: 'x' }),
	'a list page that is saved unmodified': () => service().people.editOnListPage(orders, [10], {}),
	'a mass update in the interface': () =>
		service().people.massChange(orders, [10], () => ({ [fields.remark]: 'x' })),
	'a find and replace in the interface': () => {
		service().data.record(orders, 10).set(fields.remark, 'only here');
		service().people.replaceText(orders, fields.remark, 'only here', 'there');
	},
	'an import in the interface': () =>
		service().people.importRows(orders, fields.orderNumber, [
			{ [fields.orderNumber]: service().data.record(orders, 10).text(fields.orderNumber) },
		]),
	'a restored record': () => {
		service().people.delete(orders, 10);
		service().people.restore(orders, 10);
	},
};

const creations: Record<string, Way> = {
	'a create': async () =>
		await client().postJson(addressOf(orders), { [fields.customerNumber]: 'C-0001' }),
	'a create in the interface': () => service().people.create(orders, {}),
	'an import in the interface': () =>
		service().people.importRows(orders, fields.orderNumber, [{ [fields.orderNumber]: 'new' }]),
};

const actions: Record<string, Way> = {
	'a comment': async () => await post(addressOf(orders, 10), form({ c: 'A word' })),
	'a lock': async () => await post(addressOf(orders, 10, 'lock')),
	'a mass lock': async () => await massOperation('massLock', { action: 'lock' }),
	'a mass approval': async () => await massOperation('massApproval', { action: 'approve' }),
};

beforeEach(() => service().clock.set(tenToTwelve));

describe('the Last Update Date (field 109)', () => {
	it.each(Object.entries(updates))(
		'is renewed by %s, the Create Date is not',
		async (_, change) => {
			const { created } = service().data.record(orders, 10);
			await change();
			expect(await changedSince('2030/01/01 11:50:30')).toEqual([10]);
			expect(await changedSince('2030/01/01 11:50:31')).toEqual([]);
			expect(service().data.record(orders, 10)).toMatchObject({ created, writtenAt: tenToTwelve });
		},
	);

	it.each(Object.entries(creations))(
		'is that of the Create Date (field 105) after %s',
		async (_, create) => {
			await create();
			expect(await changedSince('2030/01/01 11:50:30')).toEqual([2501]);
			const query = `where=${createDate},gte,2030/01/01&info=true`;
			expect((await client().get(addressOf(orders, undefined, query))).json()).toEqual({
				2501: expect.objectContaining({
					_create_date: '2030/01/01 11:50:30',
					_update_date: '2030/01/01 11:50:30',
				}),
			});
		},
	);

	it('is renewed and made by an import from a URL', async () => {
		service().data.sheet(customers).periodicImport.enabled = true;
		await post(addressOf(customers), form({ importData: '' }));
		expect((await changedSince('2030/01/01', customers)).at(-1)).toBe(301);
		expect((await changedSince('2030/01/01', customers)).length).toBeGreaterThan(1);
	});

	it.each(Object.entries(actions))('is renewed by %s when a switch says so', async (_, act) => {
		await act();
		expect(await changedSince('2030/01/01')).toEqual([]);
		service().switches.updateDateRenewedBy = 'everyAction';
		await act();
		expect(await changedSince('2030/01/01')).toEqual([10]);
	});

	it('bounds a range and sorts', async () => {
		for (const recordId of [30, 10, 20]) {
			service().people.edit(orders, recordId, {});
			service().clock.advance(1000);
		}
		const order = `&order=${lastUpdateDate},`;
		expect(await changedSince('2030/01/01', orders, `${order}ASC`)).toEqual([30, 10, 20]);
		expect(await changedSince('2030/01/01', orders, `${order}DESC`)).toEqual([20, 10, 30]);
		const before = `&where=${lastUpdateDate},lt,2030/01/01%2011:50:32`;
		expect(await changedSince('2030/01/01 11:50:31', orders, before)).toEqual([10]);
	});

	it('may have no seconds, so that it is the same for many records', async () => {
		service().switches.storedTimes = 'minutes';
		service().people.edit(orders, 10, {});
		service().clock.advance(29_999);
		service().people.edit(orders, 20, {});
		expect(await changedSince('2030/01/01 11:50:01')).toEqual([]);
		expect(await changedSince('2030/01/01 11:50')).toEqual([10, 20]);
	});
});

describe('the clock of the service', () => {
	it('lets filters find a record when the lag has passed, whoever has changed it', async () => {
		service().switches.filterLagMilliseconds = 5 * minute;
		service().people.edit(orders, 10, {});
		await client().postJson(addressOf(orders, 20), {});
		service().clock.advance(5 * minute - 1);
		expect(await changedSince('2030/01/01')).toEqual([]);
		service().clock.advance(1);
		expect(await changedSince('2030/01/01')).toEqual([10, 20]);
	});

	it('finds everything without a lag, also what was made later than the time it is set to', async () => {
		service().people.edit(orders, 10, {});
		service().clock.set(Date.UTC(2029, 0, 1));
		expect(await changedSince('2030/01/01')).toEqual([10]);
	});

	it('dates comments and edits', async () => {
		await post(addressOf(recipes, 0), form({ c: 'A word' }));
		await client().postJson(addressOf(recipes, 0), { [recipes.fields.servings]: '3' });
		const { comments, history } = service().data.record(recipes, 0);
		expect([comments[0]?.at, history.at(-1)?.at]).toEqual([tenToTwelve, tenToTwelve]);
	});

	it('goes like that of the machine when nobody sets it, also later by so much', () => {
		service().reset();
		expect(Math.abs(service().clock.now() - Date.now())).toBeLessThan(minute);
		service().clock.advance(60 * minute);
		expect(Math.abs(service().clock.now() - Date.now() - 60 * minute)).toBeLessThan(minute);
	});
});
