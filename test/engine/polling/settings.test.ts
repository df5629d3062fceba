import { customers, orders } from '../../service';
import { sheet } from '../recordTestbed';
import { told, usePollingTestbed } from './pollingTestbed';

const polling = usePollingTestbed();
const { fields } = orders;

/** Changes a remark a minute later. */
function changeRemark(...ids: number[]): void {
	polling.passMinutes(1);
	for (const id of ids) polling.people.edit(orders, id, { [fields.remark]: `changed ${id}` });
}

describe('filters', () => {
	const filters = {
		conditions: [{ field: fields.remark, operator: 'like', value: 'changed 7' }],
	};

	it('leave out what does not match, together with the date', async () => {
		const poller = await polling.begun({ filters });
		changeRemark(5, 7);
		expect(told(await poller.poll())).toEqual(['UPDATE 7']);
		const [request] = polling.requests;
		const where = request?.query.filter(([name]) => name === 'where').map(([, value]) => value);
		expect(where).toEqual(['109,gte,2023/02/02 00:00:00', `${fields.remark},like,changed 7`]);
	});

	it('on the Last Update Date are refused on activation', async () => {
		const own = { conditions: [{ field: '109', operator: 'gte', value: '2026/01/01' }] };
		const poller = await polling.activate({ filters: own });
		await expect(poller.poll()).rejects.toThrow('has a condition on the Last Update Date');
	});

	it('that the service refuses are told on activation, with what to do', async () => {
		const own = { conditions: [{ field: fields.remark, operator: 'regex', value: '(' }] };
		const poller = await polling.activate({ filters: own });
		await expect(poller.poll()).rejects.toThrow('Invalid regular expression');
		expect(poller.staticData).toEqual({});
	});

	it('with an unknown field are told on activation', async () => {
		const own = { conditions: [{ field: 'Remarkk', operator: 'eq', value: 'x' }] };
		const poller = await polling.activate({ filters: own });
		await expect(poller.poll()).rejects.toThrow(/Remarkk.*Remark/);
	});
});

describe('events', () => {
	it.each([
		[['CREATE'], ['CREATE 31']],
		[['UPDATE'], ['UPDATE 5']],
	])('only %j', async (events, expected) => {
		const poller = await polling.begun({ events });
		changeRemark(5);
		polling.people.create(orders, {});
		expect(told(await poller.poll()).map((text) => text.replace(/(CREATE) \d+/, '$1 31'))).toEqual(
			expected,
		);
		polling.passMinutes(1);
		expect(await poller.poll()).toEqual([]);
	});

	it('have to be chosen', async () => {
		const poller = await polling.activate({ events: [] });
		await expect(poller.poll()).rejects.toThrow("Choose at least one event in 'Trigger On'");
	});
});

describe('watchFields', () => {
	it.each(['name', 'id'])(
		'let updates of other fields pass, with keys by %s',
		async (fieldKeys) => {
			const poller = await polling.begun({
				watchFields: [fields.status],
				options: { fieldKeys },
			});
			changeRemark(5, 6);
			expect(await poller.poll()).toEqual([]);
			polling.people.edit(orders, 6, { [fields.status]: 'Shipped at last' });
			polling.passMinutes(1);
			expect(told(await poller.poll())).toEqual(['UPDATE 6']);
			changeRemark(6);
			expect(await poller.poll()).toEqual([]);
		},
	);

	it('take rows that a list page saves unmodified for what they are', async () => {
		const poller = await polling.begun({ watchFields: [fields.status, fields.remark] });
		polling.passMinutes(1);
		polling.people.editOnListPage(orders, [4, 5, 6], { 5: { [fields.remark]: 'changed' } });
		expect(told(await poller.poll())).toEqual(['UPDATE 5']);
	});

	it('are known of the 1,000 records that were changed last', async () => {
		const sheet = polling.service.data.sheet(orders);
		const added = Array.from({ length: 1_000 }, () =>
			sheet.add({ at: Date.UTC(2026, 0, 30), user: 'anybody' }),
		);
		const poller = await polling.begun({ watchFields: [fields.status] });
		changeRemark(5, ...[added[0], added.at(-1)].map((record) => record?.id ?? 0));
		expect(told(await poller.poll())).toEqual(['UPDATE 5']);
	});

	it('cost an idle poll no request more', async () => {
		const poller = await polling.begun({ watchFields: [fields.status] });
		polling.passMinutes(2);
		await poller.poll();
		expect(polling.requests).toHaveLength(1);
	});

	it.each(['name', 'id'])(
		'by a misspelt name are told on activation, with keys by %s',
		async (fieldKeys) => {
			const poller = await polling.activate({ watchFields: ['Statu'], options: { fieldKeys } });
			await expect(poller.poll()).rejects.toThrow(/'Statu' is not a field.*'Status'/);
			expect(poller.staticData).toEqual({});
		},
	);

	it('may have the names that reads number', async () => {
		const poller = await polling.begun({ watchFields: ['Note2', 'Status'] });
		polling.passMinutes(1);
		polling.people.edit(orders, 5, { [fields.secondNote]: 'changed' });
		polling.people.edit(orders, 6, { [fields.note]: 'changed' });
		expect(told(await poller.poll())).toEqual(['UPDATE 5']);
	});

	it('that are called otherwise later let no update pass unseen', async () => {
		const poller = await polling.begun({ watchFields: ['Status'] });
		for (const field of polling.service.data.sheet(orders).fields) {
			if (field.id === fields.status) field.name = 'State';
		}
		for (let polls = 0; polls < 3; polls++) {
			changeRemark(5);
			expect(told(await poller.poll())).toContain('UPDATE 5');
		}
	});

	it('are taken as they are written where the service tells no fields', async () => {
		Object.assign(polling.service.switches, { schema: 'code106', definition: 'code106' });
		polling.service.data.sheet(orders).records.clear();
		const poller = await polling.activate({ watchFields: ['Status'] });
		expect(await poller.poll()).toEqual([]);
	});

	it('that are not there are told on activation', async () => {
		const poller = await polling.activate({ watchFields: ['1999999'] });
		await expect(poller.poll()).rejects.toThrow('1999999');
	});
});

describe('what is set', () => {
	it('is what the items are made by', async () => {
		const options = { fieldKeys: 'id', onlyFields: `${fields.remark}`, isoDates: true };
		const poller = await polling.begun({ options });
		changeRemark(5);
		const [item] = await poller.poll();
		expect(item?.record).toEqual({
			_recordId: 5,
			_title: expect.any(String),
			_starred: expect.any(Boolean),
			[fields.remark]: 'changed 5',
			_create_date: expect.stringContaining('T'),
			_create_user: expect.any(String),
			_update_date: '2026-01-31T09:31:00',
			_update_user: expect.any(String),
			_seq: expect.any(Number),
		});
		expect(polling.requests[0]?.rawUrl).toContain('subtables=0');
	});

	it('as a time zone moves the times of the output and nothing else', async () => {
		const poller = await polling.begun({ options: { timeZone: 8 } });
		changeRemark(5);
		const [item] = await poller.poll();
		expect(item?.record).toMatchObject({ _update_date: '2026/01/31 17:31:00', _timeZone: 8 });
		polling.passMinutes(1);
		expect(await poller.poll()).toEqual([]);
		polling.passMinutes(1);
		polling.service.requests.forget();
		expect(await poller.poll()).toEqual([]);
		expect(polling.requests[0]?.rawUrl).toContain('where=109,gte,2026%2F01%2F31%2009%3A26%3A00');
	});

	it('raw gives records as the service sends them', async () => {
		const poller = await polling.begun({ simplify: false });
		changeRemark(5);
		const [item] = await poller.poll();
		expect(item?.record).toMatchObject({ _svcId: 5, Remark: 'changed 5' });
	});

	it('otherwise later goes on where it was', async () => {
		const poller = await polling.begun();
		changeRemark(5);
		expect(await poller.poll()).toHaveLength(1);
		changeRemark(6);
		poller.edit({ options: { fieldKeys: 'id', subtables: false } });
		expect(told(await poller.poll())).toEqual(['UPDATE 6']);
	});

	it.each([
		['sheet', { sheet: sheet(customers) }],
		['filters', { filters: { conditions: [{ field: fields.remark, operator: 'empty' }] } }],
		['events', { events: ['UPDATE'] }],
	])('as other %s begins anew, and says so', async (_, changed) => {
		const poller = await polling.begun();
		changeRemark(5);
		poller.edit(changed);
		expect(await poller.poll()).toEqual([]);
		expect(poller.printed.join('\n')).toContain('it begins anew');
		expect(await poller.poll()).toEqual([]);
	});

	it('by an expression that yields something else each time does not begin anew', async () => {
		const value = '={{ Math.random() > 2 ? "x" : "changed " + (5 + 0 * Date.now()) }}';
		const filters = { conditions: [{ field: fields.remark, operator: 'like', value }] };
		const poller = await polling.begun({ filters });
		changeRemark(5);
		expect(told(await poller.poll())).toEqual(['UPDATE 5']);
		expect(poller.printed.join('\n')).not.toContain('it begins anew');
	});
});
