import { customers, empty, orders, type SheetAddress } from '../../service';
import { addressOf, refused } from './client';
import { useService } from './useService';

const { service, client } = useService({ demoRecords: 50 });
const { fields, buttons } = orders;
const { lines } = orders.subtables;

const order = (id: number) => service().data.record(orders, id);
const written = { status: 'SUCCESS', rv: expect.any(String) };
const minimum = { [fields.customerNumber]: 'C-0001' };

async function save(sheet: SheetAddress, values: unknown, id?: number, query = '') {
	return (await client().postJson(addressOf(sheet, id, query), values)).json();
}

describe('a new record', () => {
	const created = () => order(51);

	it('is answered with its id and by field id', async () => {
		const answer = await save(orders, { ...minimum, [fields.remark]: 'new' }, undefined, 'info=1');
		expect(answer).toEqual({
			...written,
			svcId: 51,
			data: expect.objectContaining({
				_svcId: 51,
				_create_user: 'max.member@acme.example',
				[fields.orderNumber]: 'SO-00051',
				[fields.remark]: 'new',
				[fields.tags]: [],
			}),
		});
		service().switches.answerCarriesData = false;
		service().switches.dialect = 'ragic';
		expect(await save(orders, minimum)).toEqual({ status: 'SUCCESS', rv: '0', ragicId: 52 });
		expect(await save(empty, {})).toEqual({ status: 'SUCCESS', rv: '0', ragicId: 0 });
	});

	it('keeps numbers to the last digit', async () => {
		const { creditLimit, customerNumber, name } = customers.fields;
		await save(
			customers,
			`{"${customerNumber}":"C-1","${name}":"x 12","${creditLimit}":12345678901234567890}`,
		);
		const saved = service().data.record(customers, 301);
		expect([saved.value(creditLimit), saved.value(name)]).toEqual(['12345678901234567890', 'x 12']);
	});

	const rows = {
		'-1': { [lines.fields.quantity]: '3', [lines.fields.unitPrice]: '1.50' },
		'-2': { [lines.fields.quantity]: '2', [lines.fields.unitPrice]: '10' },
	};
	const untouched = { total: '', customerName: '', shippingLabel: '', status: '' };
	const computed = { ...untouched, total: '24.50' };
	const checked = 'Checked for member';
	const name = () => service().data.record(customers, 1).text(customers.fields.name);

	it.each<[query: string, expected: () => Record<string, string>]>([
		['', () => ({ ...untouched, workflowStamp: checked })],
		['doWorkflow=false', () => ({ ...untouched, workflowStamp: '' })],
		['doDefaultValue=true', () => ({ ...untouched, status: 'Open', workflowStamp: checked })],
		['doFormula=true', () => ({ ...computed, workflowStamp: '' })],
		['doLinkLoad=first', () => ({ ...untouched, customerName: name(), workflowStamp: checked })],
		[
			'doLinkLoad=true&doFormula=true',
			() => ({ ...computed, customerName: name(), workflowStamp: '' }),
		],
		[
			'doLinkLoad=first&doFormula=true',
			() => ({
				...computed,
				customerName: name(),
				shippingLabel: expect.stringContaining(name()),
				workflowStamp: '',
			}),
		],
	])('is computed as the options say: %s', async (query, expected) => {
		const values = { ...minimum, [fields.express]: '', [`_subtable_${lines.id}`]: rows };
		await save(orders, values, undefined, query);
		const wanted = expected();
		const names = ['total', 'customerName', 'shippingLabel', 'status', 'workflowStamp'] as const;
		const shown = names.map((each) => [each, created().text(fields[each])]);
		expect(Object.fromEntries(shown)).toEqual(wanted);
		expect(created().text(fields.express)).toBe('');
	});

	it('is told to those concerned unless they are not to be told', async () => {
		await save(orders, minimum, undefined, 'notification=false');
		await save(orders, minimum);
		expect(service().data.notifications).toEqual([
			{ sheet: { path: 'sales/orders', index: 1 }, recordId: 52, user: 'max.member@acme.example' },
		]);
	});
});

it('a unique field refuses what another record holds, as the field is compared, and nothing else', async () => {
	const { title, amount } = empty.fields;
	for (const id of [title, amount])
		Object.assign(service().data.sheet(empty).field(id) ?? {}, { unique: true });
	const success = expect.objectContaining(written);
	const taken = {
		status: 'INVALID',
		code: 202,
		msg: 'Field "Amount" (1600002): "5.00" already exists.',
	};
	expect(await save(empty, { [title]: 'a', [amount]: '5' })).toEqual(success);
	expect(await save(empty, { [title]: 'A', [amount]: '5.00' })).toEqual(taken);
	expect(await save(empty, { [title]: 'A', [amount]: '' })).toEqual(success);
	expect(await save(empty, { [title]: 'b', [amount]: '' })).toEqual(success);
	expect(await save(empty, { [title]: 'a', [amount]: '5.0' }, 0)).toEqual(success);
});

describe('an update', () => {
	it.each(['POST', 'PUT', 'PATCH'] as const)('by %s merges; nothing clears', async (method) => {
		const before = order(2).text(fields.status);
		const changes = { [fields.remark]: 'changed', [fields.city]: '', [fields.note]: null };
		const reply = await client().postJson(addressOf(orders, 2), changes, 'member', method);
		expect(reply.json()).toEqual({
			...written,
			svcId: 2,
			msg: '',
			warning: '',
			data: expect.objectContaining({ [fields.remark]: 'changed' }),
		});
		const values = [fields.remark, fields.city, fields.note, fields.status];
		expect(values.map((field) => order(2).value(field))).toEqual(['changed', '', '', before]);
		expect(order(2).updated.user).toBe('max.member@acme.example');
	});

	it('takes selections as an array or as a repeated name', async () => {
		await save(orders, { [fields.tags]: ['Gift', 'Repeat, large'], [fields.express]: true }, 2);
		expect(order(2).value(fields.tags)).toEqual(['Gift', 'Repeat, large']);
		expect(order(2).value(fields.express)).toBe('Yes');
		await client().postForm(addressOf(orders, 2), [
			[fields.tags, 'Bulk'],
			[fields.tags, 'Export'],
			[fields.remark, 'a+b & 100%'],
			[fields.deliveryTime, '2024/05/01 08:30'],
		]);
		expect(order(2).value(fields.tags)).toEqual(['Bulk', 'Export']);
		expect(order(2).value(fields.remark)).toBe('a+b & 100%');
		expect(order(2).value(fields.deliveryTime)).toBe('2024/05/01 08:30:00');
	});

	const { article, quantity } = lines.fields;

	it.each(['JSON', 'form data'])('adds, changes and deletes rows by %s', async (form) => {
		const address = addressOf(orders, 2);
		if (form === 'JSON') {
			const rows = { '-1': { [article]: 'Vase', [quantity]: 2 }, '2': { [quantity]: '9' } };
			await client().postJson(address, {
				[`_subtable_${lines.id}`]: rows,
				[`_DELSUB_${lines.id}`]: [3],
			});
		} else {
			await client().postForm(address, [
				[`${article}_-1`, 'Vase'],
				[`${quantity}_-1`, '2'],
				[`${quantity}_2`, '9'],
				[`DELSUB_${lines.id}`, '3'],
			]);
		}
		const rows = [...order(2).rows(lines.id)];
		expect(rows.map(([, row]) => [row.get(article), row.get(quantity)])).toEqual([
			['USB cable 2 m', '9'],
			['Vase', '2'],
		]);
		expect(rows[1]?.[0]).toBeGreaterThan(3);
	});

	it('can pass over a row that is not there, and number rows by subtable', async () => {
		const saveRows = async (record: number, rows: Record<string, object>) =>
			await save(orders, { [`_subtable_${lines.id}`]: rows }, record);
		const before = [...order(2).rows(lines.id).keys()];
		service().switches.unknownRows = 'passedOver';
		expect(await saveRows(2, { 999999: { [article]: 'Pen' } })).toMatchObject(written);
		expect([...order(2).rows(lines.id).keys()]).toEqual(before);
		service().switches.rowNumbers = 'bySubtable';
		for (const id of [4, 8]) {
			order(id).rows(lines.id).clear();
			await saveRows(id, { '-1': { [article]: 'Pen' }, '-2': { [article]: 'Ink' } });
			expect([...order(id).rows(lines.id).keys()]).toEqual([1, 2]);
		}
	});
});

describe('an action button', () => {
	const press = async (button: string) =>
		(await client().send('POST', addressOf(orders, 4, `bId=${button}`), 'outsider')).json();

	it('needs the right to view the record, not to write it', async () => {
		const { outsider } = service().identities;
		outsider.groups.push('Finance');
		expect(await press(buttons.clearMargin)).toEqual(refused(106));
		expect(order(4).text(fields.internalMargin)).not.toBe('');
		outsider.groups.push('Readers');
		expect(await press(buttons.clearMargin)).toEqual({
			status: 'SUCCESS',
			msg: expect.any(String),
		});
		expect(order(4).text(fields.internalMargin)).toBe('');
	});
});

it('an import changes records with the same key and creates the others, once', async () => {
	const sheet = () => service().data.sheet(customers);
	sheet().periodicImport.enabled = true;
	const { city, name } = customers.fields;
	for (const body of ['{"importData":""}', '{"importData":null}']) {
		const reply = await client().postJson(addressOf(customers), body, 'admin');
		expect(reply.json()).toEqual({ status: 'SUCCESS', msg: 'Import started.' });
		expect([sheet().record(2).text(city), sheet().records.size]).toEqual(['Reykjavík', 301]);
		expect(sheet().record(301).text(name)).toBe('Imported & Sons');
	}
	sheet().periodicImport = { enabled: true, url: 'https://exports.example/nothing.json' };
	const nothing = await client().postJson(addressOf(customers), '{"importData":""}', 'admin');
	expect(nothing.json()).toEqual(refused(202));
});
