import type { INodeParameters } from 'n8n-workflow';
import { orders } from '../../service';
import { emittedChanges, usePollingTestbed } from './pollingTestbed';

const polling = usePollingTestbed();
const { fields } = orders;

function change(text: string, ...ids: number[]): void {
	polling.passMinutes(1);
	for (const id of ids) polling.people.edit(orders, id, { [fields.remark]: text });
}

/** Filters that the service evaluates. */
function withText(value: string): INodeParameters {
	return { filters: { conditions: [{ field: fields.remark, operator: 'like', value }] } };
}

/** Filters that the node evaluates. */
function withoutText(value: string): INodeParameters {
	return { filters: { conditions: [{ field: fields.remark, operator: 'ne', value }] } };
}

const inView = (sharedViewId: string): INodeParameters => ({ options: { sharedViewId } });
const withFixedFilter = (isIgnored: boolean): INodeParameters => ({
	options: { ignoreFixedFilter: isIgnored },
});

interface Selection {
	what: string;
	before: INodeParameters;
	after: INodeParameters;
	/** Text that the sheet's fixed filter demands. Only administrators can ignore it. */
	fixedText?: string;
}

const selections: Selection[] = [
	{ what: 'a filter', before: withText('one'), after: withText('two') },
	{ what: 'a filter instead of none', before: {}, after: withText('two') },
	{ what: 'no filter any more', before: withText('one'), after: { filters: {} } },
	{ what: 'a filter of the node', before: withoutText('two'), after: withoutText('one') },
	{ what: 'a filter of the service instead', before: withoutText('two'), after: withText('two') },
	{ what: 'another view', before: inView('one'), after: inView('two') },
	{
		what: 'all records, without the fixed filter',
		before: withFixedFilter(false),
		after: withFixedFilter(true),
		fixedText: 'one',
	},
];

const remarkWith = (value: string) => [
	{ fieldId: fields.remark, operator: 'like', value } as const,
];

beforeEach(() => {
	const { sharedViews } = polling.service.data.sheet(orders);
	for (const text of ['one', 'two']) sharedViews[text] = remarkWith(text);
});

/** Begins to poll with a selection. Returns the node, and a function that changes its selection. */
async function begunWith({ before, after, fixedText }: Selection, parameters: INodeParameters) {
	if (fixedText !== undefined)
		polling.service.data.sheet(orders).fixedFilter = remarkWith(fixedText);
	const together = (selection: INodeParameters): INodeParameters => ({
		...parameters,
		...selection,
		options: { ...Object(parameters.options), ...Object(selection.options) },
	});
	const user = fixedText === undefined ? 'member' : 'admin';
	const poller = await polling.begun(together(before), polling.testbed.as(user));
	return { poller, select: () => poller.edit(together(after)) };
}

describe.each(selections)('when the selection becomes $what', (selection) => {
	it.each([{ startFrom: 'now' }, { startFrom: 'all' }])(
		'nothing is emitted twice and changes since the last poll are emitted, with Start From $startFrom',
		async (start) => {
			const { poller, select } = await begunWith(selection, start);
			for (let polls = 0; polls < 4; polls++) {
				change('one', 4);
				await poller.poll();
			}
			change('two', 5);
			select();
			expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 5']);
			for (let polls = 0; polls < 10; polls++) {
				polling.passMinutes(polls);
				expect(await poller.poll()).toEqual([]);
			}
			change('two', 6);
			expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 6']);
			expect(poller.printed.join('\n')).not.toContain('starts again');
		},
	);

	it('records that no longer match are no deletions, and later deletions of the others are emitted', async () => {
		change('two', 7, 8);
		change('one', 9);
		const parameters = { events: ['DELETE'], options: { deletionCheckEvery: 1 } };
		const { poller, select } = await begunWith(selection, parameters);
		select();
		for (let polls = 0; polls < 4; polls++) {
			polling.passMinutes(10);
			expect(await poller.poll()).toEqual([]);
		}
		polling.people.delete(orders, 7);
		expect(emittedChanges(await poller.poll())).toEqual(['DELETE 7']);
		expect(await poller.poll()).toEqual([]);
	});
});

it.each([0, 1])(
	'changes that the filter skipped are not emitted after it changes %i minutes later, even if their record was emitted before',
	async (minutes) => {
		const poller = await polling.begun(withText('one'));
		change('one', 4, 5);
		expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 4', 'UPDATE 5']);
		change('two', 4, 6);
		expect(await poller.poll()).toEqual([]);
		polling.passMinutes(minutes);
		poller.edit(withText('two'));
		expect(await poller.poll()).toEqual([]);
		change('two', 7);
		expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 7']);
	},
);

it.each([
	{ what: 'Shared View ID', before: { sharedViewId: '1' }, after: { sharedViewId: '2' } },
	{ what: 'Ignore Fixed Filter', before: {}, after: { ignoreFixedFilter: true } },
])('changes that were skipped are not emitted after a change of $what', async (option) => {
	const having = (value: string) => [{ fieldId: fields.remark, operator: 'like', value }] as const;
	const { orders: stored } = polling.testbed;
	stored.sharedViews = { 1: [...having('one')], 2: [...having('two')] };
	if (option.before.sharedViewId === undefined) stored.fixedFilter = [...having('one')];
	change('one', 4);
	const ofAdmin = { credentials: polling.testbed.credentials('admin') };
	const poller = await polling.begun({ options: option.before }, ofAdmin);
	change('two', 5);
	expect(await poller.poll()).toEqual([]);
	poller.edit({ options: option.after });
	expect(await poller.poll()).toEqual([]);
	change('two', 6);
	expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 6']);
});

it('a node that found nothing for days does not emit what its filter skipped', async () => {
	const poller = await polling.begun(withText('one'));
	for (let polls = 0; polls < 6; polls++) {
		polling.passMinutes(600);
		change('two', 10 + polls);
		await poller.poll();
	}
	poller.edit(withText('two'));
	expect(await poller.poll()).toEqual([]);
	change('two', 7);
	expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 7']);
});

it('a watched field of a record that the filter skipped starts with its present value', async () => {
	const watchFields = [fields.status];
	const poller = await polling.begun({ ...withText('one'), watchFields });
	polling.people.edit(orders, 5, { [fields.status]: 'Lost' });
	change('two', 5);
	await poller.poll();
	poller.edit(withText('two'));
	expect(await poller.poll()).toEqual([]);
	change('two again', 5);
	expect(await poller.poll()).toEqual([]);
	polling.people.edit(orders, 5, { [fields.status]: 'Found' });
	polling.passMinutes(1);
	expect(await poller.poll()).toMatchObject([{ recordId: 5, previous: { Status: 'Lost' } }]);
});

it('a filter that the service rejects is reported, and the state stays', async () => {
	const poller = await polling.begun(withText('one'));
	const { state } = structuredClone(poller.staticData);
	poller.edit({ filters: { conditions: [{ field: 'Remarkk', operator: 'eq', value: 'x' }] } });
	await expect(poller.poll()).rejects.toThrow('Remarkk');
	expect(poller.staticData).toEqual({ state });
	change('one', 5);
	poller.edit(withText('one'));
	expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 5']);
});

it.each(selections)(
	'a record that was emitted as deleted before the selection became $what is emitted as created when it is restored',
	async (selection) => {
		change('one two', 5, 6);
		const events = ['CREATE', 'UPDATE', 'DELETE'];
		const parameters = { events, options: { deletionCheckEvery: 1 } };
		const { poller, select } = await begunWith(selection, parameters);
		polling.people.delete(orders, 5);
		polling.passMinutes(6);
		expect(emittedChanges(await poller.poll())).toEqual(['DELETE 5']);
		select();
		expect(await poller.poll()).toEqual([]);
		polling.people.restore(orders, 5, { keepsDates: true });
		polling.passMinutes(6);
		expect(emittedChanges(await poller.poll())).toEqual(['CREATE 5']);
	},
);
