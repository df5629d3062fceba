import type { INodeParameters } from 'n8n-workflow';

import { orders } from '../../service';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed();

type Json = Record<string, unknown>;

/** The item of order `id`, read by itself or in a list. */
async function readOrder(
	operation: 'get' | 'getAll',
	id: number,
	options: INodeParameters,
	identity: 'admin' | 'member' = 'member',
): Promise<Json> {
	const which: INodeParameters =
		operation === 'get'
			? { recordId: recordId(id) }
			: {
					limit: 1,
					filters: {
						conditions: [{ field: orders.fields.orderNumber, operator: 'eqeq', value: id }],
					},
				};
	const result = await testbed.run({ operation, sheet: sheet(orders), ...which, options }, [{}], {
		credentials: testbed.credentials(identity),
	});
	expect(result.error).toBeUndefined();
	expect(result.items).toHaveLength(1);
	return result.items[0]?.json ?? {};
}

function sentParameters(): Array<[string, string]> {
	return testbed.reads.at(-1)?.query ?? [];
}

describe.each(['get', 'getAll'] as const)('options of record %s', (operation) => {
	it('adds who created and updated the record, and its number', async () => {
		const json = await readOrder(operation, 1, { info: true });
		expect(json).toMatchObject({
			_create_date: '2023/01/02 11:00:00',
			_create_user: 'ada.admin@acme.example',
			_update_date: '2023/02/02 00:00:00',
			_update_user: 'max.member@acme.example',
			_seq: 1,
		});
		expect(sentParameters()).toContainEqual(['info', 'true']);
	});

	it('adds the comments as rows of the subtable 61', async () => {
		const json = await readOrder(operation, 1, { comment: true });
		expect(json._subtable_61).toMatchObject([
			{ _rowId: 1, '66': 'Is this urgent?', '73': '1675242000000' },
			{ _rowId: 2, '66': 'Yes, "very" 🙂', '73': '1675243800000' },
		]);
		expect(sentParameters()).toContainEqual(['comment', 'true']);
	});

	it('adds the edit history', async () => {
		const json = await readOrder(operation, 1, { history: true });
		expect(json._history).toMatchObject([
			{ Type: 'Create' },
			{ Time: '2023/02/02 00:00:00', Type: 'Update', Detail: 'Status: Open → Confirmed' },
		]);
	});

	it('adds approval and conversation', async () => {
		const json = await readOrder(operation, 2, { approval: true, conversation: true });
		expect(json._approval).toEqual({ status: 'Waiting', approver: 'ada.admin@acme.example' });
		expect(json._conversation).toMatchObject([{ subject: 'Where is my order?' }]);
		expect(sentParameters()).toEqual(
			expect.arrayContaining([
				['approval', 'true'],
				['conversation', 'true'],
			]),
		);
	});

	it('returns rich text as HTML, or as its markup on request', async () => {
		const html = await readOrder(operation, 40, {});
		expect(html.Description).toBe('<b>Handle with care</b><br>See &lt;label&gt;');
		const markup = await readOrder(operation, 40, { bbcode: true });
		expect(markup.Description).toBe('[b]Handle with care[/b]\nSee <label>');
	});

	it('unmasks on request for those who may see it', async () => {
		const options = { ignoreMask: true };
		expect((await readOrder(operation, 1, {}, 'admin'))['Internal Margin']).toBe('****');
		expect((await readOrder(operation, 1, options, 'admin'))['Internal Margin']).toBe('11%');
		expect((await readOrder(operation, 1, options, 'member'))['Internal Margin']).toBe('****');
	});

	it('leaves out subtable rows on request', async () => {
		expect(await readOrder(operation, 1, { subtables: true })).toHaveProperty('_subtable_2000001');
		expect(sentParameters()).toContainEqual(['subtables', '1']);
		expect(await readOrder(operation, 1, { subtables: false })).not.toHaveProperty(
			'_subtable_2000001',
		);
		expect(sentParameters()).toContainEqual(['subtables', '0']);
	});

	it('sends additional parameters, with and without value, encoded, and skips nameless ones', async () => {
		await readOrder(operation, 1, {
			additionalParameters: {
				parameter: [
					{ name: 'fetchDomainIds', value: '1000001' },
					{ name: 'fetchDomainIds', value: '1000004' },
					{ name: 'flag', value: '' },
					{ name: 'a&b', value: 'c=d é' },
					{ name: '', value: 'lost' },
				],
			},
		});
		expect(testbed.reads.at(-1)?.rawUrl).toContain(
			'&fetchDomainIds=1000001&fetchDomainIds=1000004&flag&a%26b=c%3Dd%20%C3%A9',
		);
		expect(sentParameters().some(([, value]) => value === 'lost')).toBe(false);
	});

	it('takes what the service makes of additional parameters', async () => {
		const json = await readOrder(operation, 1, {
			additionalParameters: { parameter: [{ name: 'fetchDomainIds', value: '1000004' }] },
		});
		expect(json).toEqual({ _recordId: 1, _title: 'SO-00001', _starred: false, City: 'Lyon' });
	});

	it('sends nothing for options that were added and turned off', async () => {
		await readOrder(operation, 1, { info: false, comment: false, bbcode: false, version: '' });
		const names = sentParameters().map(([name]) => name);
		expect(names).toEqual(expect.arrayContaining(['api', 'naming', 'version']));
		expect(names.filter((name) => /^(info|comment|bbcode)$/.test(name))).toEqual([]);
		expect(sentParameters()).toContainEqual(['version', '2025-01-01']);
	});
});

it('leaves a choice of one as the service writes it', async () => {
	testbed.service.switches.singleChoiceAsText = true;
	expect((await readOrder('get', 1, {})).Tags).toBe('Gift');
	testbed.service.switches.singleChoiceAsText = false;
	expect((await readOrder('get', 1, {})).Tags).toEqual(['Gift']);
});
