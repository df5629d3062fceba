import type { INodeParameters } from 'n8n-workflow';
import { orders, type Fault, type SeenRequest } from '../../service';
import type { TriggerListener } from '../runner';
import { passMinutes, useTriggerTestbed } from './triggerTestbed';

const trigger = useTriggerTestbed(30);
const { status, remark, orderDate, reference } = orders.fields;

function bodyOf(...data: Array<Record<string, string | number | string[]>>): string {
	const rest = { apname: 'acme', path: '/sales/orders', sheetIndex: 1, eventType: 'UPDATE' };
	return trigger.service.webhooks.signedBody(data, rest);
}

/** Sends one record after the other. Returns the items of the records that started the workflow. */
async function after(
	listener: TriggerListener,
	...records: Array<Record<string, string | string[]>>
): Promise<unknown[][]> {
	const before = (await listener.items()).length;
	for (const record of records) await listener.post(bodyOf({ _svcId: 1, ...record }));
	const items = (await listener.items()).slice(before);
	return items.map(({ changedFields, previous }) => [changedFields, previous]);
}

const watching = (...watchFields: string[]): INodeParameters => ({ watchFields, options: {} });

describe('watched fields', () => {
	it('watched fields return changed fields and previous values by name, but no previous value if it is long', async () => {
		const listener = await trigger.listenAsItIs(watching('Status', remark));
		const long = 'x'.repeat(200);
		const items = await after(
			listener,
			{ [status]: 'Open', [remark]: '' },
			{ [status]: 'Open' },
			{ [status]: ['A', 'B'], [remark]: long },
			{ [status]: ['A', 'B'], [remark]: `${long}y`, [reference]: 'R' },
			{ [status]: ['A'], [remark]: `${long}y` },
		);
		expect(items).toEqual(
			[
				[['Remark', 'Status'], {}],
				[['Remark', 'Status'], { Remark: '', Status: 'Open' }],
				[['Remark'], {}],
				[['Status'], { Status: ['A', 'B'] }],
			].map(([names, previous]) => [expect.arrayContaining(Object(names)), previous]),
		);
	});

	it('watched fields use the list of changed fields in a delivery', async () => {
		const listener = await trigger.listen(watching(status));
		const items = await after(
			listener,
			{ [status]: 'Open', changedFields: [remark] },
			{ [status]: 'Open', changedFields: [status, remark] },
			{ [status]: 'Shipped', changedFields: [] },
			{ [status]: 'Shipped', changedFields: ['Status'] },
		);
		expect(items).toEqual([
			[[status], { [status]: 'Open' }],
			[[status], { [status]: 'Open' }],
		]);
	});

	it('a record with none of the watched fields counts, with a warning', async () => {
		const listener = await trigger.listen(watching('9999999'));
		await after(listener, { [status]: 'Open' }, { [status]: 'Open', changedFields: ['9999999'] });
		const warnings = (await listener.items()).map((item) => item._warning);
		expect(warnings).toEqual([
			expect.stringContaining('do not have these watched fields: 9999999.'),
			undefined,
		]);
	});

	it('the ID of a subtable is no watched field', async () => {
		const { id } = orders.subtables.lines;
		await expect(trigger.listen(watching(id))).rejects.toMatchObject({
			message: expect.stringContaining('is not a field of the record itself'),
			description: expect.stringContaining(`Watch '_subtable_${id}' instead`),
		});
	});

	it('with watched fields, the items of a test run have changed fields, too', async () => {
		const listener = await trigger.listen(watching(status, remark));
		const record = { _svcId: 1, [status]: 'Open', [remark]: '', changedFields: [reference] };
		await listener.postTest(bodyOf(record));
		expect(await listener.items()).toMatchObject([
			{ changedFields: [status, remark].sort(), previous: {} },
		]);
	});

	it('if several processes receive deliveries, only the list of changed fields in a delivery counts', async () => {
		const listener = await trigger.listen(watching(status));
		await after(listener, { [status]: 'Open' });
		listener.changeStaticData({ ...listener.staticData, storedBy: 'another process' });
		const items = await after(
			listener,
			{ [status]: 'Open' },
			{ [status]: 'Open', changedFields: [remark] },
			{ [status]: 'Shipped', changedFields: [status] },
		);
		expect(items).toEqual([
			[[status], {}],
			[[status], {}],
		]);
	});

	it('watched fields are not looked up again when a delivery arrives, even after a rename', async () => {
		const listener = await trigger.listenAsItIs(watching('Status'));
		const when: Fault['when'] = ({ path }) => path.startsWith('/acme');
		trigger.service.faults.inject({ kind: 'status', status: 503, when, times: Infinity });
		listener.forgetProcess();
		const items = await after(listener, { [status]: 'Open' }, { [status]: 'Open' });
		trigger.service.faults.clear();
		expect(items).toEqual([[[status], {}]]);
	});
});

it.each<[operator: string, field: string, value: string, matching: string[], rest: string[]]>([
	['eq', status, 'Open', ['Open'], ['open', 'Opened', '']],
	['like', remark, 'bc', ['abcd'], ['ab', '']],
	['regex', remark, '^a.c', ['abcd'], ['xabc', '']],
	['empty', remark, '', [''], ['a']],
	['gte', orderDate, '2026/01/31', ['2026/01/31', '2026/02/01'], ['2026/01/30', '']],
	['lt', orders.fields.total, '10', ['9', '9.50', '-1'], ['10', '10.0', '1,000', '']],
	['eq', orders.fields.total, '10', ['10', '10.00'], ['100', '']],
	['eq', orders.fields.express, 'true', ['Yes'], ['No', '']],
	['eq', orders.fields.internalMargin, '17%', ['17%', '****'], ['18%', '']],
	['ne', status, 'Open', ['Shipped', 'open', ''], ['Open']],
	['ne', orders.fields.total, '10', ['100', ''], ['10', '10.00']],
	['ne', orders.fields.internalMargin, '17%', ['****', '18%', ''], ['17%']],
	['notEmpty', remark, '', ['a', '***'], ['']],
])('filters: %s', async (operator, field, value, matching, rest) => {
	const filters = { conditions: [{ field, operator, value }] };
	const listener = await trigger.listen({ filters });
	for (const text of [...rest, ...matching])
		await listener.post(bodyOf({ _svcId: 1, [field]: text }));
	const records = (await listener.items()).map(({ record }) => Object(record)[field]);
	expect(records).toEqual(matching);
});

it('bounds compare numbers also if the values of the field have several spellings and no type', async () => {
	const { total } = orders.fields;
	for (const [id, text] of [
		[1, '5'],
		[2, '5.00'],
	] as const) {
		trigger.service.data.record(orders, id).set(total, text);
	}
	const conditions = [{ field: total, operator: 'gte', value: '1000' }];
	const listener = await trigger.listen({ filters: { conditions } });
	for (const text of ['5', '999.50', '1000', '1500.00'])
		await listener.post(bodyOf({ _svcId: 1, [total]: text }));
	const records = (await listener.items()).map(({ record }) => Object(record)[total]);
	expect(records).toEqual(['1000', '1500.00']);
});

it.each<[operator: string, expected: string[]]>([
	['eq', ['**']],
	['ne', ['*', '***']],
])(
	'stars are a value if the schema has another type than masked: %s',
	async (operator, expected) => {
		const conditions = [{ field: status, operator, value: '**' }];
		const credentials = trigger.credentials('admin');
		const listener = await trigger.listen({ filters: { conditions } }, { credentials });
		for (const stars of ['*', '**', '***']) {
			await listener.post(bodyOf({ _svcId: 1, [status]: stars }));
		}
		const records = (await listener.items()).map(({ record }) => Object(record)[status]);
		expect(records).toEqual(expected);
	},
);

it.each(['admin', 'member'] as const)(
	'a filter on a text field does not match another spelling of a number: %s',
	async (identity) => {
		const orderNumbers = ['A-1', 'B-2', 'C-3', '1.10'];
		for (const [index, text] of orderNumbers.entries())
			trigger.service.data.record(orders, index + 1).set(reference, text);
		const conditions = [{ field: reference, operator: 'eq', value: '612' }];
		const credentials = trigger.credentials(identity);
		const listener = await trigger.listen({ filters: { conditions } }, { credentials });
		const requests = trigger.reads.length;
		for (const text of ['0612', '612.0', '612'])
			await listener.post(bodyOf({ _svcId: 1, [reference]: text }));
		const records = (await listener.items()).map(({ record }) => Object(record)[reference]);
		expect(records).toEqual(['612']);
		expect(trigger.reads.length).toBe(requests);
	},
);

it('while the kind of a field is unknown, a filter matches identical texts only', async () => {
	const conditions = [{ field: '7654321', operator: 'eq', value: '612' }];
	const listener = await trigger.listen({ filters: { conditions } });
	for (const text of ['0612', '612.0', '612'])
		await listener.post(bodyOf({ _svcId: 1, 7654321: text }));
	const records = (await listener.items()).map(({ record }) => Object(record)['7654321']);
	expect(records).toEqual(['612']);
});

it.each([
	{ operator: 'eq', value: '612', isLoaded: true },
	{ operator: 'gt', value: '2026-01-31', isLoaded: true },
	{ operator: 'eq', value: 'Pen', isLoaded: false },
	{ operator: 'empty', value: '', isLoaded: false },
	{ operator: 'like', value: '612', isLoaded: false },
	{ operator: 'regex', value: '612', isLoaded: false },
])(
	'the kind of an unknown field is looked up if $operator "$value" depends on it: $isLoaded',
	async ({ isLoaded, ...condition }) => {
		const conditions = [{ field: '7654321', ...condition }];
		const listener = await trigger.listen({ filters: { conditions } });
		passMinutes(11);
		trigger.service.requests.forget();
		await listener.post(bodyOf({ _svcId: 1, [remark]: 'x' }));
		// The list of fields is also loaded to find out whether the field still exists.
		const isOfRecords = ({ path, query }: SeenRequest) =>
			path.endsWith('/1') && !query.some(([name]) => name === 'def');
		expect(trigger.reads.some(isOfRecords)).toBe(isLoaded);
	},
);

it('a regular expression is not applied to over 10,000 characters: the record matches, with a warning', async () => {
	const conditions = [
		{ field: 'Remark', operator: 'regex', value: '^a+$' },
		{ field: 'Reference', operator: 'like', value: 'R' },
	];
	const listener = await trigger.listen({ filters: { conditions } });
	const texts = ['b'.repeat(10_000), 'b'.repeat(10_001), 'a'.repeat(10_000), 'a'.repeat(10_001)];
	for (const text of texts)
		await listener.post(bodyOf({ _svcId: 1, [remark]: text, [reference]: 'R' }));
	await listener.post(bodyOf({ _svcId: 1, [remark]: texts[1] ?? '', [reference]: '' }));
	const warning =
		"'Remark' has more than 10,000 characters, so the regular expression in 'Filters' was not applied to it and it counts as matching.";
	const items = await listener.items();
	expect(items.map(({ record, _warning }) => [Object(record)[remark], _warning])).toEqual([
		[texts[1], warning],
		[texts[2], undefined],
		[texts[3], warning],
	]);
});

it.each(['^(\\w+\\s?)*$', '(a|aa)+$', '(.*)*=', '(x+x+)+y', '^(\\d+)*$', '.*.*.*.*.*.*='])(
	'a regular expression cannot be made slow by the text of a sender: %s',
	async (value) => {
		const filters = { conditions: [{ field: 'Remark', operator: 'regex', value }] };
		const listener = await trigger.listen({ filters });
		for (const unit of ['a', 'x', '1', 'a ']) {
			const text = `${unit.repeat(9_990 / unit.length)}!`;
			const begun = process.cpuUsage();
			await listener.post(bodyOf({ _svcId: 1, [remark]: text }));
			// A regular expression that tries one way after another takes years.
			expect(process.cpuUsage(begun).user / 1e6).toBeLessThan(10);
		}
		await listener.post(bodyOf({ _svcId: 2, [remark]: 'xxy=' }));
		expect((await listener.items()).every(({ recordId }) => recordId === 2)).toBe(true);
	},
);

it('a record on which a regular expression takes too many steps matches, with a warning', async () => {
	const conditions = [{ field: 'Remark', operator: 'regex', value: '((a{1,10}){1,10})+=' }];
	const listener = await trigger.listen({ filters: { conditions } });
	await listener.post(bodyOf({ _svcId: 1, [remark]: 'a'.repeat(9_999) }));
	expect((await listener.items()).map(({ _warning }) => _warning)).toEqual([
		"'Remark' takes too many steps, so the regular expression in 'Filters' was not applied to it and it counts as matching.",
	]);
});

it('a filter on file fields matches if one of several files matches', async () => {
	const field = orders.fields.contract;
	const filters = { conditions: [{ field, operator: 'empty', value: '' }] };
	const listener = await trigger.listen({ filters });
	for (const files of [['', 'abc@x.pdf'], ['']]) {
		await listener.post(bodyOf({ _svcId: 1, [field]: files }));
	}
	expect((await listener.items()).map(({ record }) => Object(record)[field])).toEqual([['']]);
});

it('a filter on a field of a subtable matches if one of the rows matches', async () => {
	const { id: lines, fields: line } = orders.subtables.lines;
	const filters = { conditions: [{ field: line.article, operator: 'eq', value: 'Desk' }] };
	const listener = await trigger.listen({ filters });
	const bodyWith = (...articles: string[]) => {
		const rows = articles.map((article, index) => [index + 1, { [line.article]: article }]);
		const record = {
			...{ _svcId: 1, [status]: 'Open' },
			[`_subtable_${lines}`]: Object.fromEntries(rows),
		};
		const rest = { apname: 'acme', path: '/sales/orders', sheetIndex: 1, eventType: 'UPDATE' };
		return trigger.service.webhooks.signedBody([record], rest);
	};
	for (const body of [bodyWith('Vase'), bodyWith(), bodyWith('Vase', 'Desk')]) {
		await listener.post(body);
	}
	expect(listener.executions).toHaveLength(1);
});

it.each([1, 2])(
	'a filter on a field that was deleted from the sheet is not applied any more after %d deliveries, with a warning, and other filters are',
	async (count) => {
		const conditions = [
			{ field: 'Status', operator: 'eq', value: 'Open' },
			{ field: 'Remark', operator: 'eq', value: 'A' },
		];
		const listener = await trigger.listen({ filters: { conditions } });
		const { fields } = trigger.service.data.sheet(orders);
		const isDeleted = ({ id }: { id: string }) => id === status;
		fields.splice(fields.findIndex(isDeleted), 1);
		const deliveries = ['A', 'B'].map((text) =>
			trigger.readdressed([{ _svcId: 1, [remark]: text, [reference]: 'x' }]),
		);
		for (let sent = 0; sent < count; sent++) {
			// The process knows the fields for ten minutes.
			passMinutes(2);
			for (const body of deliveries) expect((await listener.post(body)).status).toBe(200);
		}
		const warning = expect.stringContaining("no longer has these fields of 'Filters'");
		const items = await listener.items();
		expect(items).toHaveLength(count);
		for (const item of items) {
			expect(item).toMatchObject({ record: { [remark]: 'A' }, _warning: warning });
		}
	},
);

it('a filter on a deleted field is not applied to the fetched records of deliveries that hold only IDs', async () => {
	const conditions = [{ field: 'Status', operator: 'eq', value: 'Open' }];
	const filters = { conditions };
	const listener = await trigger.listen({
		verification: 'off',
		...{ filters, options: { fetchRecord: true } },
	});
	const { fields } = trigger.service.data.sheet(orders);
	fields.splice(
		fields.findIndex(({ id }) => id === status),
		1,
	);
	passMinutes(2);
	await listener.post('[1]');
	const warning = expect.stringContaining("no longer has these fields of 'Filters'");
	expect(await listener.items()).toMatchObject([{ recordId: 1, _warning: warning }]);
});

it('a filter on a field that a delivery leaves out costs at most one list of fields per minute', async () => {
	const conditions = [{ field: 'Status', operator: 'eq', value: 'Open' }];
	const listener = await trigger.listen({ filters: { conditions } });
	passMinutes(2);
	trigger.service.requests.forget();
	for (const text of ['A', 'B', 'C']) {
		await listener.post(trigger.readdressed([{ _svcId: 1, [remark]: text }]));
	}
	expect(await listener.items()).toEqual([]);
	expect(trigger.reads).toHaveLength(1);
});

it('a filter on a deleted field excludes changes while the service does not list the fields', async () => {
	const conditions = [{ field: 'Status', operator: 'eq', value: 'Open' }];
	const listener = await trigger.listen({ filters: { conditions } });
	passMinutes(2);
	// The public key is downloaded, because without it the delivery would be refused.
	const when = ({ path }: { path: string }) => path.startsWith('/acme');
	trigger.service.faults.inject({ kind: 'status', status: 500, times: Infinity, when });
	const { status: answered } = await listener.post(
		trigger.readdressed([{ _svcId: 1, [remark]: 'A' }]),
	);
	expect([answered, await listener.items()]).toEqual([200, []]);
	trigger.service.faults.clear();
});

it('a broken connection for the list of fields does not lose the records of a delivery that match', async () => {
	const conditions = [{ field: 'Status', operator: 'eq', value: 'Open' }];
	const listener = await trigger.listen({ filters: { conditions } });
	passMinutes(2);
	const when = ({ path }: { path: string }) => path.startsWith('/acme');
	trigger.service.faults.inject({ kind: 'reset', times: Infinity, when });
	const records = [
		{ _svcId: 1, [remark]: 'A' },
		{ _svcId: 2, [status]: 'Open' },
	];
	await listener.post(trigger.readdressed(records));
	expect((await listener.items()).map(({ recordId }) => recordId)).toEqual([2]);
	trigger.service.faults.clear();
});

it('filters on one field are alternatives, filters on several fields must all match the fetched record', async () => {
	const conditions = [
		{ field: 'Status', operator: 'eq', value: 'Open' },
		{ field: 'Status', operator: 'eq', value: 'New' },
		{ field: 'Remark', operator: 'like', value: 'x' },
	];
	const listener = await trigger.listen({ filters: { conditions } });
	for (const [state, text] of [
		['Open', 'x'],
		['New', 'x'],
		['New', 'y'],
		['Shipped', 'x'],
	]) {
		await listener.post(bodyOf({ _svcId: 1, [status]: state ?? '', [remark]: text ?? '' }));
	}
	expect(listener.executions).toHaveLength(2);
	const fetching = await trigger.listen({
		filters: { conditions },
		options: { fetchRecord: true },
	});
	trigger.service.data.record(orders, 5).set(status, 'Open');
	trigger.service.data.record(orders, 5).set(remark, 'x');
	for (const id of [5, 6])
		await fetching.post(bodyOf({ _svcId: id, [status]: 'Open', [remark]: 'x' }));
	expect((await fetching.items()).map(({ recordId }) => recordId)).toEqual([5]);
});

it.each([
	[{ watchFields: ['Statu'] }, /'Statu' in 'Watch Field Names or IDs' is not a field.*'Status'/],
	[
		{ filters: { conditions: [{ field: 'Statu', operator: 'eq', value: 'x' }] } },
		/'Statu' in 'Filters' is not a field/,
	],
	[
		{ filters: { conditions: [{ field: '105', operator: 'gte', value: '2026/01/01' }] } },
		/'Create Date'.*delivery/,
	],
	[
		{ filters: { conditions: [{ field: remark, operator: 'regex', value: '(' }] } },
		/pattern for 'Remark' in 'Filters' is not a regular expression.*delivery.*Correct it/,
	],
	[
		{ filters: { conditions: [{ field: remark, operator: 'regex', value: '\\\\^\\p{Lu}' }] } },
		/pattern for 'Remark' in 'Filters' is not a regular expression.*delivery.*Correct it/,
	],
	[
		{ filters: { conditions: [{ field: remark, operator: 'regex', value: '(a+)\\1b' }] } },
		/The part '\\1' of the pattern for 'Remark' in 'Filters' could stop n8n/,
	],
	[
		{ filters: { conditions: [{ field: remark, operator: 'regex', value: '(a{1,50}){1,50}' }] } },
		/The part '\{1,50\}' of the pattern/,
	],
])(
	'a condition that cannot be compared with a delivery is reported on activation: %j',
	async (parameters, says) => {
		await expect(trigger.listen(parameters)).rejects.toThrow(says);
	},
);

it.each<[what: string, fault: Fault]>([
	['HTTP 503', { kind: 'status', status: 503 }],
	['code 101', { kind: 'body', body: '{"status":"ERROR","code":101,"msg":"No."}' }],
])(
	'a filter that cannot be resolved when a delivery arrives matches all records, with a warning: %s',
	async (_, fault) => {
		const value = '={{ String(Date.now() + Math.random()) }}';
		const listener = await trigger.listen({
			filters: { conditions: [{ field: 'Remark', operator: 'eq', value }] },
		});
		await listener.post(bodyOf({ _svcId: 1, [remark]: 'x' }));
		expect(await listener.items()).toEqual([]);
		listener.forgetProcess();
		const when: Fault['when'] = ({ path }) => path.startsWith('/acme');
		trigger.service.faults.inject({ ...fault, when, times: Infinity });
		await listener.post(bodyOf({ _svcId: 1, [remark]: 'x' }));
		trigger.service.faults.clear();
		const warning = (await listener.items())[0]?._warning;
		expect(warning).toMatch(/were not applied.*[^.]\.$/);
	},
);

describe.each(['init', 'leadershipChange'] as const)(
	'filters and watched fields after a restart of n8n: %s',
	(mode) => {
		const filters = { conditions: [{ field: 'Remark', operator: 'eq', value: 'x' }] };
		const parameters = { filters, watchFields: ['Remark'], options: { downloadFiles: 'Contract' } };

		async function restarted(listener: TriggerListener): Promise<unknown[][]> {
			listener.forgetProcess();
			await listener.restart(mode);
			return await after(listener, { [remark]: 'y' }, { [remark]: 'x' }, { [remark]: 'x' });
		}

		it('filters and watched fields stay the same after a restart although their fields were renamed', async () => {
			const listener = await trigger.listen(parameters);
			for (const field of trigger.service.data.sheet(orders).fields) {
				if ([remark, orders.fields.contract].includes(field.id)) field.name = `New ${field.name}`;
			}
			expect(await restarted(listener)).toEqual([[[remark], {}]]);
		});

		it('filters and watched fields stay the same after a restart although the service does not answer', async () => {
			const listener = await trigger.listen(parameters);
			const when: Fault['when'] = ({ path }) => path.startsWith('/acme');
			trigger.service.faults.inject({ kind: 'status', status: 503, when, times: Infinity });
			const items = await restarted(listener);
			trigger.service.faults.clear();
			expect(items).toEqual([[[remark], {}]]);
		});

		it('a filter compares by the kind that the records showed, although the service does not answer', async () => {
			const { total } = orders.fields;
			const conditions = [{ field: total, operator: 'eq', value: '612' }];
			const listener = await trigger.listen({ filters: { conditions } });
			const when: Fault['when'] = ({ path }) => path.startsWith('/acme');
			trigger.service.faults.inject({ kind: 'status', status: 503, when, times: Infinity });
			listener.forgetProcess();
			await listener.restart(mode);
			for (const text of ['612.00', '613'])
				await listener.post(bodyOf({ _svcId: 1, [total]: text }));
			trigger.service.faults.clear();
			const records = (await listener.items()).map(({ record }) => Object(record)[total]);
			expect(records).toEqual(['612.00']);
		});

		it('a filter with an expression does not prevent the restart if the service does not answer', async () => {
			const condition = { field: 'Remark', operator: 'ne', value: '={{ Math.random() }}' };
			const listener = await trigger.listen({ filters: { conditions: [condition] } });
			const when: Fault['when'] = ({ path }) => path.startsWith('/acme');
			trigger.service.faults.inject({ kind: 'status', status: 503, when, times: Infinity });
			await restarted(listener);
			trigger.service.faults.clear();
			const items = await listener.items();
			expect(items).toHaveLength(3);
			expect(items[0]?._warning).toContain('were not applied');
		});
	},
);

it('filters and watched fields are those of the moment of publication, although the process knows other names', async () => {
	const parameters = {
		filters: { conditions: [{ field: 'Remark', operator: 'eq', value: 'x' }] },
		watchFields: ['Remark'],
	};
	await trigger.listen(parameters);
	const names = new Map([
		[remark, 'Reference'],
		[reference, 'Remark'],
	]);
	for (const field of trigger.service.data.sheet(orders).fields) {
		field.name = names.get(field.id) ?? field.name;
	}
	const listener = await trigger.listen(parameters);
	const x = { [reference]: 'x', [remark]: 'y' };
	expect(await after(listener, x, { ...x, [remark]: 'z' })).toEqual([[[reference], {}]]);
	listener.forgetProcess();
});

describe('stored filters and watched fields', () => {
	const parameters = {
		filters: { conditions: [{ field: 'Remark', operator: 'eq', value: 'x' }] },
		watchFields: ['Status'],
	};
	const damages: Array<[what: string, damage: (changes: string) => unknown]> = [
		['no JSON', (changes) => changes.slice(1)],
		['no text', () => 5],
		['no conditions', (changes) => changes.replace('"where"', '"conditions"')],
		['a condition that is null', (changes) => changes.replace(/"where":\[.*?\]/, '"where":[null]')],
		['one damaged condition', (changes) => changes.replace('"where":[', '"where":[5,')],
		[
			'a condition without an operator',
			(changes) => changes.replace('"operator":"eq"', '"by":"eq"'),
		],
		[
			'an operator that is no text',
			(changes) => changes.replace('"operator":"eq"', '"operator":5'),
		],
		['a name that is no text', (changes) => changes.replace('"name":"Remark"', '"name":5')],
		[
			'a pattern that this version does not accept',
			(changes) =>
				changes.replace('"operator":"eq","value":"x"', '"operator":"regex","value":"(x)\\\\1"'),
		],
		['a condition without a field', (changes) => changes.replace('"fieldId"', '"field"')],
		['a condition without a value', (changes) => changes.replace('"value":"x"', '"value":5')],
		[
			'a watched field that is no key',
			(changes) => changes.replace(`["${status}"]`, `[${status}]`),
		],
		['no watched fields', (changes) => changes.replace(`["${status}"]`, 'null')],
	];

	it.each(damages)(
		'stored filters and watched fields that contain %s are looked up again, with a warning on the item',
		async (_what, damage) => {
			const listener = await trigger.listen(parameters);
			const { wanted } = listener.staticData;
			const changes: unknown = damage(String(Object(wanted).changes));
			expect(changes).not.toBe(Object(wanted).changes);
			listener.changeStaticData({ ...listener.staticData, wanted: { ...Object(wanted), changes } });
			const texts = ['y', 'x', 'x'];
			for (const [index, text] of texts.entries()) {
				await listener.post(bodyOf({ _svcId: index, [remark]: text, [status]: 'Open' }));
			}
			const warnings = (await listener.items()).map(({ _warning }) => _warning);
			expect(warnings).toEqual([expect.stringContaining('could not be read'), undefined]);
		},
	);
});

describe('stored names of fields', () => {
	const filters = { conditions: [{ field: 'Remark', operator: 'eq', value: 'x' }] };
	const parameters = { filters, watchFields: ['Remark'], options: {} };
	const newId = '1009999';

	/** Deletes the field Remark, and adds another field with this name. */
	function replaceRemark(name: string) {
		for (const field of trigger.service.data.sheet(orders).fields) {
			if (field.id === remark) Object.assign(field, { id: newId, name });
		}
	}

	it('refer to the current fields when the workflow is published again', async () => {
		const listener = await trigger.listenAsItIs(parameters);
		replaceRemark('Remark');
		listener.forgetProcess();
		await listener.change({ simplify: true });
		const items = await after(listener, { [newId]: 'y' }, { [newId]: 'x' }, { [newId]: 'x' });
		expect(items).toEqual([[['Remark'], {}]]);
	});

	it('are rejected on activation if no field has these names any more', async () => {
		const listener = await trigger.listenAsItIs(parameters);
		replaceRemark('Other');
		listener.forgetProcess();
		const published = listener.change({ simplify: true });
		await expect(published).rejects.toThrow(
			"'Remark' in 'Watch Field Names or IDs' is not a field",
		);
	});
});
