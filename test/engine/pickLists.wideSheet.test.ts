import { idInKey } from '../../nodes/api/schema/fields';
import { empty, type Field } from '../service';
import { usePickListTestbed } from './pickListTestbed';
import { asJson, mapped } from './record/recordValues';
import { recordId, sheet } from './recordTestbed';

const testbed = usePickListTestbed();

/** 300 fields, of which the 17th and the 203rd have the same name; numbers and dates among them. */
const wideFields: Field[] = Array.from({ length: 300 }, (_, index) => ({
	id: String(1_700_001 + index),
	name: index === 16 || index === 202 ? 'Twin' : `Field ${index + 1}`,
	type: (['text', 'number', 'date', 'text'] as const)[index % 4] ?? 'text',
}));

beforeEach(() => {
	const wide = testbed.service.data.sheet(empty);
	wide.fields.splice(0, wide.fields.length, ...wideFields);
	const record = wide.add({ at: Date.UTC(2026, 0, 1), user: 'x@acme.example' });
	for (const { id } of wideFields) record.set(id, `of ${id}`);
});

const onSheet = { sheet: sheet(empty) };
const columns = {
	kind: 'resourceMapping',
	name: 'getRecordFields',
	parameters: { ...onSheet, operation: 'create' },
} as const;

function labelOf({ id, name }: Field): string {
	return name === 'Twin' ? `Twin (${id})` : name;
}

it.each(['admin', 'member'] as const)(
	'shows every field once to %s, the twins with their ids',
	async (identity) => {
		const { fields } = Object(await testbed.ask({ ...columns, identity }));
		const shown = [fields].flat().map((field) => [Object(field).id, Object(field).displayName]);
		expect(shown).toEqual(
			wideFields.map((field) => [`${field.name} (${field.id})`, labelOf(field)]),
		);
		const options = [
			await testbed.ask({ name: 'getFields', identity, parameters: onSheet }),
		].flat();
		expect(new Map(options.map((option) => [Object(option).value, Object(option).name]))).toEqual(
			new Map(wideFields.map((field) => [field.id, labelOf(field)])),
		);
	},
);

it('finds each field by readings alone', async () => {
	testbed.service.switches.schema = 'http404';
	testbed.service.switches.definition = 'http404';
	const { fields } = Object(await testbed.ask(columns));
	const shown = new Map(
		[fields].flat().map((field) => [Object(field).id, Object(field).displayName]),
	);
	for (const { id, name } of wideFields) {
		if (name !== 'Twin') expect(shown.get(`${name} (${id})`)).toBe(name);
	}
	expect([...shown.keys()].map(idInKey)).toEqual(wideFields.map(({ id }) => id));
	expect(new Set(shown.values()).size).toBe(wideFields.length);
});

it('writes each value into its own field, the twins by their ids', async () => {
	const values = Object.fromEntries(
		wideFields.map(({ id, name, type }, index) => [
			name === 'Twin' || index % 2 ? id : name,
			type === 'date' ? '2026/03/02' : type === 'number' ? index : `value ${index}`,
		]),
	);
	const update = { operation: 'update', ...onSheet, recordId: recordId(0) };
	for (const input of [asJson(values), mapped(values)]) {
		const result = await testbed.run({ ...update, ...input });
		expect(result.status).toBe('success');
	}
	const record = testbed.service.data.record(empty, 0);
	for (const [index, { id, type }] of wideFields.entries()) {
		const expected =
			type === 'date' ? '2026/03/02' : type === 'number' ? String(index) : `value ${index}`;
		expect([id, record.text(id)]).toEqual([id, expected]);
	}
});
