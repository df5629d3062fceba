import type { TriggerListener } from '../runner';
import { passMinutes, useTriggerTestbed } from '../trigger/triggerTestbed';
import { expectCleanPrototypes } from './bombardment';
import { nastyTexts } from './corpus';

const trigger = useTriggerTestbed();
const signature = Buffer.alloc(256, 'x').toString('base64');

/** Returns the body of a delivery in which these members are added or replaced. */
function forged(members: Record<string, string> = {}): string {
	const all = {
		data: '[{"_svcId":5,"1000001":"x"}]',
		apname: '"acme"',
		path: '"/sales/orders"',
		sheetIndex: '1',
		eventType: '"UPDATE"',
		signature: JSON.stringify(signature),
		...members,
	};
	return `{${Object.entries(all)
		.map(([name, value]) => `"${name}":${value}`)
		.join()}}`;
}

/** Expects that the listener still accepts a signed delivery. */
async function expectAlive(listener: TriggerListener): Promise<void> {
	passMinutes(2);
	const before = listener.executions.length;
	expect((await listener.post(trigger.body([5]))).status).toBe(200);
	expect(listener.executions).toHaveLength(before + 1);
	expect(listener.failures).toEqual([]);
	expectCleanPrototypes();
}

describe('object keys such as __proto__', () => {
	const names = ['__proto__', 'constructor', 'prototype', 'toString'];
	const fields = names.map((name) => `"${name}":{"polluted":"yes"}`).join();

	it('unsigned keys such as __proto__ are rejected', async () => {
		const listener = await trigger.listen();
		const bodies = [
			`{${fields}}`,
			forged({ ['__proto__']: '{"polluted":"yes","eventType":"CREATE"}' }),
			forged().replace('{', `{${fields},`),
			`{"__proto__":${forged()}}`,
			`[${fields.replaceAll(/"\w+":/g, '')}]`,
			`["__proto__"]`,
		];
		for (const body of bodies) {
			expect([400, 401, 422]).toContain((await listener.post(body)).status);
		}
		expect(listener.executions).toEqual([]);
		await expectAlive(listener);
	});

	it.each([true, false])(
		'keys such as __proto__ are fields of a record like any other, simplified: %s',
		async (simplify) => {
			const listener = await trigger.listen({
				verification: 'off',
				options: { simplify, skipUnchanged: true, skipRepeats: true },
			});
			const data = `[{"_svcId":5,${fields},"_subtable_7":{"1":{${fields}}},"1000011":"x"}]`;
			expect((await listener.post(forged({ data }))).status).toBe(200);
			const [item] = await listener.items();
			const record: unknown = item?.record;
			if (typeof record !== 'object' || record === null) throw new Error('No record');
			expect(Object.keys(record)).toEqual(expect.arrayContaining([...names, '1000011']));
			expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
			await expectAlive(listener);
		},
	);
});

it('random texts in place of the account, the path, the event, the sheet or the signature are rejected', async () => {
	const listener = await trigger.listen();
	const members = ['apname', 'path', 'eventType', 'sheetIndex', 'signature'];
	const bodies = nastyTexts.map((text, index) => {
		return forged({ [members[index % members.length] ?? '']: JSON.stringify(text) });
	});
	for (let start = 0; start < bodies.length; start += 40) {
		const batch = bodies.slice(start, start + 40);
		const answers = await Promise.all(batch.map(async (body) => await listener.post(body)));
		expect(answers.filter(({ status }) => status !== 400 && status !== 401)).toEqual([]);
		// The answer does not repeat any part of the request.
		expect(answers.filter(({ body }) => body.length > 200)).toEqual([]);
	}
	expect(listener.executions).toEqual([]);
	await expectAlive(listener);
});
