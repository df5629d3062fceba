import type { INodeParameters } from 'n8n-workflow';
import { orders } from '../../service';
import { assign, byIds, mass, replace } from '../massOperation/massParameters';
import { onOrder, useRecordTestbed } from '../recordTestbed';
import { schemaFor } from './editorSchema';
import { asJson, autoMapped, mapped } from './recordValues';

const testbed = useRecordTestbed({ demoRecords: 10 });
const { fields } = orders;
const update = onOrder('update', 5);
const ofItem = { ...update, ...autoMapped() };
const record = () => testbed.order(5);

/** Runs as an administrator, who has access to the types and choices of fields. */
async function runAll(parameters: INodeParameters, items: object[]) {
	const all = items.map((item) => ({ json: { ...item } }));
	return await testbed.runAllById(parameters, all, testbed.as('admin'));
}

async function run(parameters: INodeParameters, ...items: object[]) {
	const result = await runAll(parameters, items.length > 0 ? items : [{}]);
	expect(result.errorItems).toEqual([]);
	return result;
}

/** Returns the mapper as stored by the editor, with the schema for these values. */
async function fromEditor(values: INodeParameters): Promise<INodeParameters> {
	return mapped(values, [], await schemaFor(testbed, { ...update, ...mapped(values) }));
}

const massUpdate = (field: string, value: string) =>
	mass('update', { ...byIds('5'), ...assign([field, value]) });

describe('a text that is not a date', () => {
	const wrong = ['tomorrow', '31.01.2026', '2026-02-30', '2026/13/01', 20260131, true];

	it('a text that is not a date is rejected if the type is known, and nothing is sent', async () => {
		for (const input of [
			asJson('={{ $json }}'),
			autoMapped(),
			await fromEditor({ [fields.orderDate]: '={{ $json["Order Date"] }}' }),
		]) {
			const items = wrong.map((date) => ({ 'Order Date': date }));
			const result = await runAll({ ...update, ...input }, items);
			const dateError = (date: unknown) =>
				new RegExp(`^'${date}' is not a valid date for '.*2026-01-31`);
			testbed.expectErrors(result, wrong.map(dateError));
		}
		expect(testbed.writes).toEqual([]);
	});

	it.each<[given: string | number, stored: string]>([
		['31.01.2026', '2026/01/31'],
		['1/31/2026', '2026/01/31'],
		[20260131, '2026/01/31'],
		// Dates as n8n reads them from an Excel file.
		[46053, '2026/01/31'],
		['46053', '2026/01/31'],
		[45092.84722222222, '2023/06/15 20:20:00'],
		// Unix times, in New York.
		[1769853600, '2026/01/31 05:00:00'],
		[1769853600.25, '2026/01/31 05:00:00'],
		[1769853600000, '2026/01/31 05:00:00'],
	])(
		'the expression in the advice for %j gives the date, also from the mapper',
		async (given, stored) => {
			const field = stored.includes(' ') ? 'deliveryTime' : 'orderDate';
			const name = field === 'orderDate' ? 'Order Date' : 'Delivery Time';
			const key = `${name} (${fields[field]})`;
			const input = await fromEditor({ [key]: `={{ $json['${name}'] }}` });
			for (const wrong of [{ ...update, ...input }, ofItem]) {
				const { errorItems } = await runAll(wrong, [{ [name]: given }]);
				const [, expression = ''] =
					/e\.g\. \{\{ (.*?) \}\}/.exec(String(errorItems[0]?.json.error)) ?? [];
				await run(
					{ ...update, ...asJson(`={{ { '${name}': ${expression} } }}`) },
					{ [name]: given },
				);
				expect(record().text(fields[field])).toBe(stored);
				testbed.service.reset();
			}
		},
	);

	it.each(['Order Date', fields.orderDate])(
		'a text that is not a date is rejected in a mass update of %s',
		async (field) => {
			const items = ['soon', '31.01.2026'].map((date) => ({ date }));
			const result = await runAll(massUpdate(field, '={{ $json.date }}'), items);
			const expectedErrors = items.map(
				({ date }) => `'${date}' is not a valid date for '${field}'`,
			);
			testbed.expectErrors(result, expectedErrors);
			expect(testbed.writes).toEqual([]);
		},
	);

	it('a date may be in the format of the service or of ISO 8601, the result of an expression, or empty', async () => {
		const values = ['"2026-01-31"', '"2026/01/31"', '"2026-01-31T10:00:00Z"', '$now', 'new Date()'];
		const date = `={{ [${[...values, '""'].join()}][$itemIndex] }}`;
		const input = await fromEditor({ [fields.orderDate]: date });
		const items = [...values, ''].map((value) => ({ value }));
		await run({ ...update, ...input, options: { clearEmpty: true } }, ...items);
		expect(testbed.writes).toHaveLength(6);
	});

	it('a text that is not a date is sent unchanged if neither the schema nor a record shows the type', async () => {
		for (const order of testbed.orders.records.values()) order.set(fields.orderDate, '');
		await testbed.runById({ ...update, ...asJson({ 'Order Date': 'tomorrow' }) });
		expect(record().text(fields.orderDate)).toBe('tomorrow');
	});
});

describe('a multiple selection', () => {
	beforeEach(() => (testbed.service.switches.schemaChoices = true));

	it('a multiple selection accepts a list, or a text with commas', async () => {
		const selections: Array<[string | string[], string[]]> = [
			['Fragile, Gift', ['Fragile', 'Gift']],
			['Gift,Repeat, large', ['Gift', 'Repeat, large']],
			['Repeat, large', ['Repeat, large']],
			['["Repeat, large", "Gift"]', ['Repeat, large', 'Gift']],
			...[['Gift', 'Bulk']].map((list): [string[], string[]] => [list, list]),
			['Bulk', ['Bulk']],
		];
		const input = await fromEditor({ [fields.tags]: '={{ $json.tags }}' });
		await run({ ...update, ...input }, ...selections.map(([tags]) => ({ tags })));
		const sent = testbed.bodies.map((body) => [Object(body)[fields.tags]].flat());
		expect(sent).toEqual(selections.map(([, stored]) => stored));
	});

	it.each(['admin', 'member'] as const)(
		'a text with commas is split by the known choices, by field name or ID, in an item and in JSON (%s)',
		async (identity) => {
			const inputItems = [{ Tags: 'Gift, Bulk' }, { [fields.tags]: 'Gift, Bulk' }];
			const items = inputItems.map((json) => ({ json }));
			for (const input of [autoMapped(), asJson('={{ $json }}')]) {
				await testbed.runById({ ...update, ...input }, items, testbed.as(identity));
			}
			expect(testbed.bodies).toEqual(Array(4).fill({ [fields.tags]: ['Gift', 'Bulk'] }));
		},
	);

	it('a multiple selection is set in many records by a text with commas, or by a choice from the list', async () => {
		const picked = { __rl: true, mode: 'list', value: 'Repeat, large' };
		for (const [input, stored] of [
			['Gift, Bulk', ['Gift', 'Bulk']],
			[picked, ['Repeat, large']],
			[{ ...picked, mode: 'text', value: '={{ ["Gift"] }}' }, ['Gift']],
		] as const) {
			const assignments = { assignment: [{ field: 'Tags', value: input }] };
			await run(mass('update', { ...byIds('5'), assignments }));
			expect([record().value(fields.tags)].flat()).toEqual(stored);
		}
	});
});

describe('a text that contains no choice', () => {
	beforeEach(() => record().set(fields.tags, ['Gift']));
	const none = [',', ' , ', '[]', '[""]', ['']];

	it('a text without a choice clears a selection only on request', async () => {
		await run(ofItem, ...none.map((Tags) => ({ Tags, City: 'Graz' })));
		expect(testbed.bodies).toEqual(none.map(() => ({ [fields.city]: 'Graz' })));
		for (const Tags of none) {
			record().set(fields.tags, ['Gift']);
			await run({ ...ofItem, options: { clearEmpty: true } }, { Tags });
			expect(record().value(fields.tags)).toEqual([]);
		}
	});

	it('a text without a choice is rejected in a mass update', async () => {
		for (const field of ['Tags', fields.tags]) {
			const items = [',', '[]'].map((setup) => ({ setup }));
			const result = await runAll(massUpdate(field, '={{ $json.given }}'), items);
			testbed.expectErrors(result, `The assignment of '${field}' has no value`, items.length);
		}
		expect(testbed.writes).toEqual([]);
		for (const empty of ['', '={{ [] }}']) await run(massUpdate('Tags', empty));
		expect(testbed.writes).toHaveLength(2);
		expect(record().value(fields.tags)).toEqual([]);
	});
});

describe('a checkbox', () => {
	it('a checkbox is sent by the mapper as Yes or No', async () => {
		for (const value of [true, false, '={{ true }}', 'Yes', '(leave unchanged)']) {
			const values = { [fields.express]: value, [fields.remark]: 'x' };
			await run({ ...update, ...(await fromEditor(values)) });
		}
		const otherValues = { [fields.remark]: 'x' };
		const sent = ['Yes', 'No', 'Yes', 'Yes'].map((text) => ({ [fields.express]: text }));
		expect(testbed.bodies).toEqual([
			...sent.map((body) => ({ ...body, ...otherValues })),
			otherValues,
		]);
	});

	it.each(['Express', fields.express])(
		'true and false are sent as Yes and No into the field %s',
		async (field) => {
			await run({ ...update, ...asJson({ [field]: true, [fields.remark]: 'x' }) });
			await run(ofItem, { [field]: false });
			await run(massUpdate(field, '={{ true }}'));
			const replaced = replace(field, '={{ true }}', '={{ false }}');
			await run(mass('searchReplace', { ...byIds('5'), ...replaced }));
			const id = Number(fields.express);
			expect(testbed.bodies).toEqual([
				{ [fields.express]: 'Yes', [fields.remark]: 'x' },
				{ [fields.express]: 'No' },
				{ action: [{ field: id, value: 'Yes' }] },
				{ action: [{ field: id, valueReplaced: 'Yes', valueNew: 'No' }] },
			]);
		},
	);

	it.each(['Express', fields.express])(
		'true and false are converted in a condition on %s',
		async (field) => {
			const filters = { conditions: [{ field, operator: 'eq', value: '={{ true }}' }] };
			const { items } = await run({ ...update, operation: 'getAll', returnAll: true, filters });
			expect(items).not.toEqual([]);
			expect(testbed.reads.at(-1)?.rawUrl).toContain('&where=1000010,eq,Yes&where=1000010,eq,yes');
		},
	);
});

it('a condition with a choice from the list finds the same records as with a text, which saved workflows contain', async () => {
	const locator = { __rl: true, cachedResultName: 'Open' };
	const found = [];
	for (const value of [
		'Open',
		{ ...locator, mode: 'list', value: 'Open' },
		{ ...locator, mode: 'text', value: '={{ "Open" }}' },
	]) {
		const filters = { conditions: [{ field: 'Status', operator: 'eq', value }] };
		found.push((await run({ ...update, operation: 'getAll', returnAll: true, filters })).ids);
	}
	const [byText = [], ...byChoice] = found;
	expect(byText.length).toBeGreaterThan(0);
	expect(byChoice).toEqual([byText, byText]);
});
