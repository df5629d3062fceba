import { fields, useHours } from './hours';

const hours = useHours();
const { city, remark, reference } = fields;
const users = ['admin', 'member'] as const;

/** Names are known for ten minutes. Afterwards each run must know the new ones. */
const tenMinutes = 10;

const errorOf = ({ errorItems }: Awaited<ReturnType<typeof hours.update>>) =>
	String(errorItems[0]?.json.error);

describe.each(users)('in a process of %s that runs for hours', (user) => {
	it('a renamed field is found by its new name at once', async () => {
		await hours.update(user, { City: 'Oslo' });
		hours.field(city).name = 'Town';
		const { items } = await hours.update(user, { Town: 'Bergen' });
		expect([items.length, hours.text(city)]).toEqual([1, 'Bergen']);
		expect(await hours.read(user)).toMatchObject({ Town: 'Bergen' });
	});

	it('the old name of a renamed field is refused after ten minutes, and goes to no other field before', async () => {
		await hours.update(user, { City: 'Oslo' });
		const before = hours.text(remark);
		hours.field(city).name = 'Town';
		await hours.update(user, { City: 'Bergen' });
		expect([hours.text(city), hours.text(remark)]).toEqual(['Bergen', before]);
		hours.pass(tenMinutes);
		expect(errorOf(await hours.update(user, { City: 'Paris' }))).toContain('City');
		expect(hours.text(city)).toBe('Bergen');
	});

	it('the output of a write has the new name of a field after ten minutes', async () => {
		const byId = { [city]: 'Oslo' };
		expect((await hours.update(user, byId)).json[0]).toMatchObject({ City: 'Oslo' });
		for (const name of ['Town', 'Place', 'City']) {
			hours.field(city).name = name;
			hours.pass(tenMinutes);
			expect((await hours.update(user, byId)).json[0]).toMatchObject({ [name]: 'Oslo' });
		}
	});

	it('two fields that swap their names are written by their new names after ten minutes', async () => {
		await hours.update(user, { City: 'Oslo', Remark: 'old' });
		[hours.field(city).name, hours.field(remark).name] = ['Remark', 'City'];
		hours.pass(tenMinutes);
		const { json } = await hours.update(user, { City: 'Bergen', Remark: 'new' });
		expect([hours.text(remark), hours.text(city)]).toEqual(['Bergen', 'new']);
		expect(json[0]).toMatchObject({ City: 'Bergen', Remark: 'new' });
		expect(await hours.read(user)).toMatchObject({ City: 'Bergen', Remark: 'new' });
	});

	it('an added field is written and returned by its name at once', async () => {
		await hours.update(user, { City: 'Oslo' });
		const added = { id: '1000777', name: 'Added', type: 'text' } as const;
		hours.service.data.sheet({ path: 'sales/orders', index: 1 }).fields.push(added);
		const { items } = await hours.update(user, { Added: 'x' });
		expect([items.length, hours.text('1000777')]).toEqual([1, 'x']);
		hours.pass(tenMinutes);
		expect((await hours.update(user, { '1000777': 'y' })).json[0]).toMatchObject({ Added: 'y' });
	});

	it('a removed field is never written, and after ten minutes the error names it', async () => {
		await hours.update(user, { Reference: 'R-1' });
		hours.removeField(reference);
		const writes = hours.testbed.writes.length;
		expect((await hours.update(user, { Reference: 'R-2', City: 'Nowhere' })).items).toEqual([]);
		hours.pass(tenMinutes);
		const failed = await hours.update(user, { Reference: 'R-3', City: 'Nowhere' });
		expect(errorOf(failed)).toContain("'Reference'");
		// The service refused the first write; the second one was not sent.
		expect(hours.testbed.writes.length).toBe(writes + 1);
		expect(hours.text(city)).not.toBe('Nowhere');
	});

	it('a name that another field took after its field was removed is that field after ten minutes', async () => {
		await hours.update(user, { Reference: 'R-1' });
		hours.removeField(reference);
		hours.field(remark).name = 'Reference';
		hours.pass(tenMinutes);
		await hours.update(user, { Reference: 'R-2' });
		expect(hours.text(remark)).toBe('R-2');
	});
});

describe('a field with another type, for a user who may read the types', () => {
	it.each([
		{ type: 'date', value: '2026-01-31T10:00:00.000+01:00', after: '2026/01/31' },
		{ type: 'checkbox', value: true, after: 'Yes' },
	] as const)(
		'a value is written in the format of the type $type within ten minutes',
		async ({ type, value, after }) => {
			await hours.update('admin', { Remark: 'text' });
			hours.field(remark).type = type;
			hours.pass(10);
			await hours.update('admin', { Remark: value });
			expect(hours.text(remark)).toBe(after);
			hours.field(remark).type = 'text';
			hours.pass(10);
			await hours.update('admin', { Remark: '2026-01-31' });
			expect(hours.text(remark)).toBe('2026-01-31');
		},
	);

	it('Typed Values follow the type within ten minutes', async () => {
		const typed = async () => (await hours.read('admin', { typedValues: true })).Remark;
		await hours.update('admin', { Remark: '7' });
		expect(await typed()).toBe('7');
		hours.field(remark).type = 'number';
		hours.pass(10);
		expect(await typed()).toBe(7);
		hours.field(remark).type = 'text';
		hours.pass(10);
		expect(await typed()).toBe('7');
	});

	it('a choice that was added raises no warning after ten minutes, and one that was removed does', async () => {
		const { status } = fields;
		const warningOf = async (text: string) =>
			(await hours.update('admin', { Status: text })).json[0]?._warning;
		hours.service.switches.schemaChoices = true;
		const field = hours.field(status);
		const choices = [...(field.choices ?? [])];
		expect(await warningOf('Parked')).toContain('Status');
		field.choices = [...choices, 'Parked'];
		hours.pass(10);
		expect(await warningOf('Parked')).toBeUndefined();
		field.choices = choices;
		hours.pass(10);
		expect(await warningOf('Parked')).toContain('Status');
	});
});
