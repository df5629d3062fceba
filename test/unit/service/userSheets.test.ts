import { externalUsers, internalUsers, type SheetAddress } from '../../service';
import { useService } from './useService';

const { service, client } = useService();
const { fields } = internalUsers;

async function change(
	sheet: SheetAddress,
	field: string,
	value: unknown,
	recordIds: number[],
): Promise<unknown> {
	const query = recordIds.map((id) => `&recordId=${id}`).join('');
	const address = `/acme/${sheet.path}/${sheet.index}/massOperation/massUpdate?api${query}`;
	const body = JSON.stringify({ action: [{ field: Number(field), value }] });
	const headers = { 'content-type': 'application/json' };
	const { admin } = service().identities;
	const reply = await client().send('POST', address, admin, { headers, body });
	service().tasks.step(Infinity);
	return reply.json();
}

const groups = (sheet: SheetAddress, id: number) =>
	service().data.record(sheet, id).value(fields.groups);

it.each([fields.email, fields.fullName, fields.systemLog, fields.status, fields.kind])(
	'a mass update of field %s is refused on both sheets',
	async (field) => {
		for (const sheet of [internalUsers, externalUsers]) {
			expect(await change(sheet, field, 'x', [3])).toMatchObject({ status: 'ERROR', code: 202 });
		}
		expect(service().tasks.all).toEqual([]);
	},
);

it('another field may be updated', async () => {
	await change(internalUsers, fields.department, 'West', [3]);
	expect(service().data.record(internalUsers, 3).text(fields.department)).toBe('West');
});

describe('groups', () => {
	it('are a text that holds a JSON array', async () => {
		await change(internalUsers, fields.groups, '["Sales","Support \\"B\\""]', [3]);
		expect(groups(internalUsers, 3)).toEqual(['Sales', 'Support "B"']);
	});

	it.each([[['Sales']], ['Sales'], ['[1]'], ['{"a":1}'], [5]])(
		'are refused in any other form: %j',
		async (value) => {
			expect(await change(internalUsers, fields.groups, value, [3])).toMatchObject({ code: 201 });
			expect(groups(internalUsers, 3)).toEqual(['Sales']);
		},
	);

	it('of external users begin with x- or X-', async () => {
		expect(await change(externalUsers, fields.groups, '["Sales"]', [3])).toMatchObject({
			code: 202,
		});
		await change(externalUsers, fields.groups, '["x-a","X-B"]', [3]);
		expect(groups(externalUsers, 3)).toEqual(['x-a', 'X-B']);
	});

	it('keep one administrator', async () => {
		await change(internalUsers, fields.groups, '["Sales"]', [1, 2]);
		expect(groups(internalUsers, 1)).toEqual(['Sales']);
		expect(groups(internalUsers, 2)).toEqual(['SYSAdmin']);
		expect(service().tasks.all[0]).toMatchObject({ success: 1, fail: 1 });
	});
});

it('the sheets are for administrators only', async () => {
	expect((await client().get('/acme/system/users/1?api')).json()).toMatchObject({ code: 106 });
	const { admin } = service().identities;
	const list = await client().send('GET', '/acme/system/users/1?api&naming=EID', admin);
	expect(list.ids()).toHaveLength(12);
});
