import type { IDataObject } from 'n8n-workflow';
import { textDigest } from '../../../nodes/api/json/canonicalJson';
import { timeAfter } from '../../../nodes/SheetRecordsPollingTrigger/updateTimes';
import { orders } from '../../service';
import type { Poller } from '../runner';
import { emittedChanges, usePollingTestbed } from './pollingTestbed';

const polling = usePollingTestbed();
const { fields } = orders;
const events = ['CREATE', 'UPDATE', 'DELETE'];

function change(...ids: number[]): void {
	polling.passMinutes(1);
	for (const id of ids) polling.people.edit(orders, id, { [fields.remark]: `changed ${id}` });
}

/** Returns the digest of the source as version 10 of the stored state has it. */
function sourceOfVersion10({ node: { parameters, credentials = {} } }: Poller): string {
	const { baseUrl, account } = polling.service;
	const id = credentials.sheetRecordsApi?.id;
	const location = [baseUrl, `/${account}/sales/orders/1`, id];
	const { filters, startFrom, startDate } = parameters;
	const source = [location, filters, [...events].sort(), undefined, startFrom, startDate];
	return textDigest(JSON.stringify(source)).slice(0, 22);
}

/** Returns the stored state of version 11 as version 10 stored it. */
function asVersion10(poller: Poller): IDataObject {
	const { known } = Object(poller.staticData.state);
	const { cursor, ...members } = JSON.parse(String(known));
	delete members.selection;
	delete members.reading;
	const emitted = cursor.emitted.map(([id, state]: [string, string]) => {
		const [seconds = '', , values = ''] = state.split(',');
		return [id, timeAfter('2000/01/01 00:00:00', Number.parseInt(seconds, 36)) + values];
	});
	const source = sourceOfVersion10(poller);
	delete cursor.passedAt;
	const state = { ...members, source, cursor: { ...cursor, emitted } };
	return { state: { version: 10, known: JSON.stringify(state) } };
}

it.each([{ startFrom: 'now' }, { startFrom: 'all' }])(
	'a state of version 10 is continued, and nothing is emitted twice, with Start From $startFrom',
	async ({ startFrom }) => {
		const options = { deletionCheckEvery: 1 };
		const poller = await polling.begun({ events, startFrom, options });
		for (let polls = 0; polls < 3; polls++) await poller.poll();
		change(5);
		expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 5']);
		polling.people.delete(orders, 6);
		expect(emittedChanges(await poller.poll())).toEqual(['DELETE 6']);
		poller.changeStaticData(asVersion10(poller));
		poller.startProcess();
		expect(await poller.poll()).toEqual([]);
		change(7);
		polling.people.delete(orders, 8);
		expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 7', 'DELETE 8']);
		expect(poller.printed.join('\n')).not.toContain('starts again');
		expect(poller.staticData.state).toMatchObject({ version: 11 });
	},
);

it('Start From All that had finished continues from now with a damaged state, and says so', async () => {
	const poller = await polling.begun({ startFrom: 'all' });
	expect(await poller.poll()).toHaveLength(30);
	expect(await poller.poll()).toEqual([]);
	poller.changeStaticData({ state: { ...Object(poller.staticData.state), known: '{' } });
	expect(await poller.poll()).toEqual([]);
	expect(await poller.poll()).toEqual([]);
	change(5);
	const items = await poller.poll();
	expect(emittedChanges(items)).toEqual(['UPDATE 5']);
	expect(items[0]?._warning).toContain('starts again from now');
});

it('Start From All that had not finished starts again with a damaged state', async () => {
	const poller = await polling.begun({ startFrom: 'all' });
	poller.changeStaticData({ state: { ...Object(poller.staticData.state), known: '{' } });
	expect(await poller.poll()).toEqual([]);
	expect(await poller.poll()).toHaveLength(30);
});
