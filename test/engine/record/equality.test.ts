import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import { amount } from '../../amount';
import { timeLimit } from '../../timeLimit';
import { orders, type IdentityName } from '../../service';
import { onOrders, useRecordTestbed } from '../recordTestbed';
import { conditionsSent } from './listedOrders';

// Each example of the random test runs several lists.
jest.setTimeout(timeLimit(amount(60, 240, 1_200)));

/** `eq`, which the service evaluates, and `ne`, which the node evaluates, share all records between them. */
const demoRecords = 24;
const testbed = useRecordTestbed({ demoRecords });
const { fields } = orders;

const users = ['administrator', 'member', 'member without discovery'] as const;
type User = (typeof users)[number];

function as(user: User) {
	const { switches } = testbed.service;
	if (user === 'member without discovery') {
		switches.schema = 'code106';
		switches.definition = 'code106';
	}
	const identity: IdentityName = user === 'administrator' ? 'admin' : 'member';
	return testbed.as(identity);
}

/** Creates records after those of the demo. */
function addNewerRecords(count: number, values: Record<string, string>): void {
	for (let added = 0; added < count; added++) {
		const record = testbed.orders.add({ at: Date.UTC(2026, 0, 31), user: 'anybody' });
		for (const [fieldId, value] of Object.entries(values)) record.set(fieldId, value);
	}
}

const texts = ['612', '0612', '612.0', '1,001', '1001', '1.10', '1.1', '2030/02/03', '2030-02-03'];
const words = ['Yes', 'No', 'true', 'yes', '1', '0', '2030/02/03 00:00:00', 'AB-1', 'ab-1', ''];

/** Fields of each type, with values that they may hold. */
const fieldValues: Array<[fieldId: string, values: string[]]> = [
	[fields.reference, [...texts, ...words]],
	[fields.total, ['612', '0612', '612.0', '1,001', '1001', '1.10', '1.1', '']],
	[fields.orderDate, ['2030/02/03', '2030/02/04', '']],
	[fields.deliveryTime, ['2030/02/03 00:00:00', '2030/02/03 09:30:00', '']],
	[fields.express, ['Yes', 'No', '']],
];

async function found(operation: 'count' | 'getAll', user: User, condition: INodeParameters) {
	const filters = { conditions: [condition] };
	const parameters = { ...onOrders(operation), returnAll: true, filters };
	const result = await testbed.run(parameters, [{}], as(user));
	expect(result.error).toBeUndefined();
	return operation === 'count' ? Number(result.json[0]?.count) : result.ids;
}

/** Values that conditions use for a field: values that it may hold, and other spellings that the service accepts. */
function conditionValues(fieldId: string, values: readonly string[]): string[] {
	if (fieldId === fields.express) return ['Yes', 'No', 'true', 'false', '1', '0'];
	const isDate = fieldId === fields.orderDate || fieldId === fields.deliveryTime;
	const dates = isDate ? ['2030/02/03', '2030/02/03 00:00:00', '2030-02-03'] : [];
	return [...values.filter(Boolean), ...dates];
}

const cases = fc.constantFrom(...fieldValues).chain(([fieldId, values]) =>
	fc.record({
		fieldId: fc.constant(fieldId),
		value: fc.constantFrom(...conditionValues(fieldId, values)),
		stored: fc.array(fc.constantFrom(...values), {
			minLength: demoRecords / 3,
			maxLength: demoRecords,
		}),
		user: fc.constantFrom(...users),
	}),
);

it('Is Equal To and Is Not Equal To share all records between them, for every user and kind of field', async () => {
	await fc.assert(
		fc.asyncProperty(cases, async ({ fieldId, value, stored, user }) => {
			testbed.service.reset();
			stored.forEach((text, index) => testbed.order(index + 1).set(fieldId, text));
			const where = (operator: string) => ({ field: fieldId, operator, value });
			const equal = [await found('getAll', user, where('eq'))].flat().map(Number);
			const rest = [await found('getAll', user, where('ne'))].flat().map(Number);
			const all = [...testbed.orders.records.keys()];
			expect([...equal, ...rest].sort((a, b) => a - b)).toEqual(all.sort((a, b) => a - b));
			expect(await found('count', user, where('ne'))).toBe(rest.length);
		}),
		{ numRuns: amount(12, 90, 600), seed: Number(process.env.SHEET_RECORDS_SEED ?? 1) },
	);
});

it.each(
	users.flatMap((user) => ['2030/02/03', '2030/02/03 00:00:00'].map((value) => ({ user, value }))),
)(
	'$value is equal to a time at midnight, also if no record has another time: $user',
	async ({ user, value }) => {
		testbed.service.reset();
		for (const record of testbed.orders.records.values()) record.set(fields.deliveryTime, '');
		for (const id of [1, 2, 3]) testbed.order(id).set(fields.deliveryTime, '2030/02/03 00:00:00');
		const where = (operator: string) => ({ field: fields.deliveryTime, operator, value });
		expect(new Set([await found('getAll', user, where('eq'))].flat())).toEqual(new Set([1, 2, 3]));
		expect(await found('count', user, where('ne'))).toBe(demoRecords - 3);
	},
);

it.each(fieldValues)(
	'every user finds the same records by name and by ID of field %s, also with Is One Of',
	async (fieldId, values) => {
		const stored = Array.from({ length: demoRecords }, (_, at) => values[at % values.length] ?? '');
		stored.forEach((text, index) => testbed.order(index + 1).set(fieldId, text));
		const searched = conditionValues(fieldId, values).filter((value) => value !== '2030-02-03');
		const outcomes = new Set<string>();
		for (const user of users) {
			for (const field of [fieldId, testbed.orders.field(fieldId)?.name ?? '']) {
				const equal: unknown[] = [];
				for (const value of searched) {
					const ids = await found('getAll', user, { field, operator: 'eq', value });
					equal.push(...[ids].flat());
				}
				const oneOf = { field, operator: 'in', value: searched.join('\n') };
				const union = [...new Set(equal)].map(Number).sort((a, b) => a - b);
				const listed = [await found('getAll', user, oneOf)].flat().map(Number);
				expect(listed.sort((a, b) => a - b)).toEqual(union);
				outcomes.add(JSON.stringify(equal));
			}
		}
		expect([...outcomes]).toHaveLength(1);
	},
);

it.each(users)(
	'each word of a checkbox is in one of both halves, also if only old records hold it: %s',
	async (user) => {
		testbed.service.reset();
		const stored = ['Yes', 'No', 'true', 'FALSE', 'on', '1', '0', ''];
		stored.forEach((text, index) => testbed.order(index + 1).set(fields.remark, text));
		// More records than the node reads to learn the words in use.
		addNewerRecords(250, { [fields.remark]: 'Yes' });
		const all = [...testbed.orders.records.keys()];
		const failures: unknown[] = [];
		for (const value of [true, false, 'on', 'TRUE', 'no', 'Yes', 'No', '1', '0']) {
			const where = (operator: string) => ({ field: fields.remark, operator, value });
			const equal = [await found('getAll', user, where('eq'))].flat().map(Number);
			const rest = [await found('getAll', user, where('ne'))].flat().map(Number);
			const missing = all.filter((id) => !equal.includes(id) && !rest.includes(id));
			const doubled = equal.filter((id) => rest.includes(id));
			if (missing.length + doubled.length > 0)
				failures.push({ value, missing: missing.slice(0, 9), doubled: doubled.slice(-9) });
		}
		expect(failures).toEqual([]);
	},
);

it.each(users)(
	'a text field compares by characters, and a number field by value: %s',
	async (user) => {
		for (const [index, text] of ['612', '0612', '612.0'].entries()) {
			testbed.order(index + 1).set(fields.reference, text);
			testbed.order(index + 1).set(fields.total, text);
		}
		const rest = async (field: string) =>
			[await found('getAll', user, { field, operator: 'ne', value: '612' })].flat();
		expect((await rest(fields.reference)).filter((id) => Number(id) < 4).sort()).toEqual([2, 3]);
		expect((await rest(fields.total)).filter((id) => Number(id) < 4)).toEqual([]);
	},
);

it('the service is only asked how it compares a field if its type is unknown and the value has several spellings', async () => {
	const sentBy = async (user: User, value: string) => {
		testbed.service.requests.clear();
		await found('getAll', user, { field: fields.reference, operator: 'ne', value });
		return conditionsSent(testbed);
	};
	expect(await sentBy('administrator', '612')).toEqual([]);
	expect(await sentBy('member', 'AB-1')).toEqual([]);
	expect(await sentBy('member', '612')).toEqual([`${fields.reference},eq,612.000000`]);
});
