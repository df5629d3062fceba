import type { INodeParameters } from 'n8n-workflow';
import { orders } from '../../service';
import { emittedChanges, usePollingTestbed } from './pollingTestbed';

/** Conditions that the node evaluates: Is Not Equal To (`ne`) and Is Not Empty (`notEmpty`). */
const polling = usePollingTestbed();
const { fields } = orders;

const notInternal: INodeParameters = {
	conditions: [
		{ field: 'Remark', operator: 'ne', value: 'internal' },
		{ field: 'Remark', operator: 'notEmpty' },
	],
};

function change(text: string, ...ids: number[]): void {
	polling.passMinutes(1);
	for (const id of ids) polling.people.edit(orders, id, { [fields.remark]: text });
}

function remove(...ids: number[]): void {
	polling.passMinutes(1);
	for (const id of ids) polling.people.delete(orders, id);
}

it.each([{ fieldKeys: 'name' }, { fieldKeys: 'id' }])(
	'a poll emits only changed records that match, with keys by $fieldKeys',
	async (options) => {
		const poller = await polling.begun({ filters: notInternal, options });
		change('internal', 4);
		change('', 5);
		change('for all', 6);
		expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 6']);
		const where = polling.requests[0]?.query.filter(([name]) => name === 'where');
		expect(where).toEqual([['where', expect.stringMatching(/^109,gte,/)]]);
		change('for all', 4);
		expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 4']);
	},
);

it('a text that is another spelling of a number is not equal to it', async () => {
	const conditions = [{ field: 'Remark', operator: 'ne', value: '612' }];
	const poller = await polling.begun({ filters: { conditions } });
	change('612', 4);
	change('0612', 5);
	change('612.0', 6);
	expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 5', 'UPDATE 6']);
});

it('a change that does not match is not read again by later polls', async () => {
	const poller = await polling.begun({ filters: notInternal });
	change('internal', ...Array.from({ length: 20 }, (_, index) => index + 1));
	expect(await poller.poll()).toEqual([]);
	polling.passMinutes(20);
	expect(await poller.poll()).toEqual([]);
	polling.passMinutes(1);
	polling.service.requests.forget();
	expect(await poller.poll()).toEqual([]);
	expect(polling.requests.map(({ answered }) => answered)).toEqual(['{}'.length]);
});

it('Start From All Records emits each matching record once', async () => {
	const matching = [...polling.service.data.sheet(orders).records.values()].filter((record) => {
		return !['', 'internal'].includes(record.text(fields.remark));
	});
	expect(matching.length).toBeLessThan(30);
	const poller = await polling.begun({ filters: notInternal, startFrom: 'all' });
	const items = await poller.poll();
	expect(items).toHaveLength(matching.length);
	expect(items[0]?._remaining).toBe(matching.length - 1);
	expect(new Set(items.map(({ recordId }) => recordId)).size).toBe(matching.length);
});

it('a deletion is emitted only if the record matched', async () => {
	change('internal', 7);
	change('for all', 8, 9);
	const options = { deletionCheckEvery: 1 };
	const poller = await polling.begun({ filters: notInternal, events: ['DELETE'], options });
	remove(7, 8);
	expect(emittedChanges(await poller.poll())).toEqual(['DELETE 8']);
	change('internal', 9);
	for (let polls = 0; polls < 3; polls++) {
		polling.passMinutes(10);
		expect(await poller.poll()).toEqual([]);
	}
});

it('a deletion is emitted only if the record matched by its masked values, if they are shown', async () => {
	const margin = polling.service.data.sheet(orders).record(7).text(fields.internalMargin);
	const conditions = [{ field: fields.internalMargin, operator: 'ne', value: margin }];
	const options = { deletionCheckEvery: 1, ignoreMask: true };
	const poller = await polling.begun(
		{ filters: { conditions }, events: ['DELETE'], options },
		polling.testbed.as('admin'),
	);
	remove(7, 8);
	expect(emittedChanges(await poller.poll())).toEqual(['DELETE 8']);
});

it('a test run returns the most recently changed record that matches', async () => {
	change('for all', 3);
	change('internal', 4);
	const poller = await polling.activate({ filters: notInternal });
	expect(emittedChanges(await poller.test())).toEqual(['UPDATE 3']);
});

it('a filter that cannot be applied is reported on activation', async () => {
	const conditions = [{ field: '112', operator: 'ne', value: 'true' }];
	const poller = await polling.activate({ filters: { conditions } });
	await expect(poller.poll()).rejects.toThrow("cannot be applied to 'If Starred'");
	expect(poller.staticData).toEqual({});
});

it('an emptied sheet whose fields the user may not list does not stop the node, nor does a start on it', async () => {
	Object.assign(polling.service.switches, { schema: 'code106', definition: 'code106' });
	const conditions = [{ field: fields.remark, operator: 'ne', value: 'internal' }];
	const parameters = { filters: { conditions }, events: ['CREATE', 'DELETE'] };
	const { records } = polling.service.data.sheet(orders);
	for (const id of [...records.keys()]) if (id !== 5) records.delete(id);
	const poller = await polling.begun({ ...parameters, options: { deletionCheckEvery: 1 } });
	remove(5);
	poller.startProcess();
	expect(await poller.poll()).toEqual([]);
	polling.passMinutes(16);
	expect(emittedChanges(await poller.poll())).toEqual(['DELETE 5']);
	const later = await polling.begun(parameters);
	const { id } = polling.people.create(orders, { [fields.remark]: 'for all' });
	polling.people.create(orders, { [fields.remark]: 'internal' });
	for (const each of [poller, later]) {
		expect(emittedChanges(await each.poll())).toEqual([`CREATE ${id}`]);
	}
});

it('a condition by field ID outlasts the renaming of its field', async () => {
	const condition = { field: fields.remark, operator: 'ne', value: 'internal' };
	const poller = await polling.begun({ filters: { conditions: [condition] } });
	for (const field of polling.service.data.sheet(orders).fields) {
		if (field.id === fields.remark) field.name = 'Note';
	}
	change('internal', 4);
	change('for all', 5);
	expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 5']);
});
