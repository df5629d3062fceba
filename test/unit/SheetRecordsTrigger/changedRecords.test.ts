import { clearProcessState } from '../../../nodes/api/http/processState';
import { ServiceError } from '../../../nodes/api/http/serviceError';
import { fetchDeliveredRecords } from '../../../nodes/api/read/deliveredRecords';
import { fetchRecords, type TriggerCall } from '../../../nodes/SheetRecordsTrigger/changedRecords';

jest.mock('../../../nodes/api/read/deliveredRecords', () => ({ fetchDeliveredRecords: jest.fn() }));

const read = jest.mocked(fetchDeliveredRecords);
const delivery = { event: 'UPDATE', records: [{ recordId: '5', event: 'UPDATE' }] } as const;
const context = {
	getWorkflow: () => ({ id: 'workflow' }),
	getNode: () => ({ id: 'node' }),
};
/** The members of a trigger call that a read uses. */
const receiver = {
	context,
	sheet: { folders: ['sales'], sheetIndex: 1 },
} as unknown as TriggerCall;

beforeEach(() => {
	clearProcessState();
	read.mockReset();
});

async function fetched() {
	return await fetchRecords(receiver, { ...delivery, records: [...delivery.records] });
}

it('while 100 deliveries to a node are being read, the next delivery keeps its content; afterwards records are read again', async () => {
	const answers: Array<() => void> = [];
	const answered = new Map([['5', { kind: 'content', content: new Map() } as const]]);
	read.mockImplementation(
		async () => await new Promise((resolve) => answers.push(() => resolve(answered))),
	);
	const running = Array.from({ length: 100 }, fetched);
	expect(await fetched()).toEqual([
		{ recordId: '5', event: 'UPDATE', unreadable: expect.stringContaining('100 other deliveries') },
	]);
	for (const answer of answers) answer();
	const isFetched = [expect.objectContaining({ recordId: '5', isFetched: true })];
	expect(await Promise.all(running)).toEqual(running.map(() => isFetched));
	read.mockResolvedValue(answered);
	expect(await fetched()).toEqual(isFetched);
});

it.each([
	{ what: 'a failed request', failure: new ServiceError({ kind: 'server', message: 'Busy' }) },
	{ what: 'a fault of the node', failure: new TypeError('No such method') },
])('a read that ends in $what no longer counts as running', async ({ failure }) => {
	read.mockRejectedValue(failure);
	for (let count = 0; count < 100; count++) await expect(fetched()).rejects.toBe(failure);
	read.mockResolvedValue(new Map([['5', { kind: 'content', content: new Map() }]]));
	expect(await fetched()).toEqual([expect.objectContaining({ recordId: '5', isFetched: true })]);
});

it('each record of a delivery is read once, by its ID without leading zeros', async () => {
	read.mockResolvedValue(new Map());
	const ids = ['05', '5', undefined, '', '007', '0', '00', '5'];
	const records = ids.map((recordId) => ({ recordId, event: 'UPDATE' as const }));
	await fetchRecords(receiver, { event: 'UPDATE', records });
	expect(read).toHaveBeenCalledTimes(1);
	expect(read.mock.calls[0]?.[2]).toEqual(['5', '7', '0']);
});
