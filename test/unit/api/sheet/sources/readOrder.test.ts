import type { Client } from '../../../../../nodes/api/http/client';
import { loadFieldList } from '../../../../../nodes/api/sheet/sources/loadFields';
import { noteReadOrder } from '../../../../../nodes/api/sheet/sources/readOrder';
import { beginAnew, clock, minute, schemaOf, sheet, useSources } from './fieldSources';

beginAnew();
afterEach(() => jest.restoreAllMocks());

const orders = ['A B C', 'A C B', 'B A C'] as const;
const [usual, swapped, third] = orders;

/** Notes each order in a run of its own. Returns which of them are new. */
async function areNew(...read: readonly string[]): Promise<boolean[]> {
	const { newRun } = useSources({ schema: schemaOf() });
	const news: boolean[] = [];
	for (const order of read) {
		news.push(await noteReadOrder(await newRun(), sheet, order.split(' ')));
	}
	return news;
}

it.each([
	{ title: 'the same order', read: [usual, usual], news: [false, false] },
	{ title: 'another order', read: [usual, swapped], news: [false, true] },
	{
		title: 'two orders in turns, as of lists and single reads',
		read: [usual, swapped, usual, swapped],
		news: [false, true, false, false],
	},
	{
		title: 'three orders in turns, of which two are kept',
		read: [usual, swapped, third, usual],
		news: [false, true, true, true],
	},
	{ title: 'a part of the fields', read: [usual, 'A C', 'B C'], news: [false, false, false] },
	{
		title: 'another order after a part',
		read: [usual, 'A C', swapped],
		news: [false, false, true],
	},
	{ title: 'an added field', read: [usual, 'A D B C', 'D A'], news: [false, false, true] },
	{
		title: 'keys that JavaScript sorts',
		read: ['9 A _b', 'A 9', '_b A'],
		news: [false, false, false],
	},
])(
	'an order of fields is news if no read of the last minutes had it: $title',
	async ({ read, news }) => {
		expect(await areNew(...read)).toEqual(news);
	},
);

it.each([
	{ minutes: 9, isNew: false },
	{ minutes: 11, isNew: true },
])('an order that was seen $minutes minutes ago is news: $isNew', async ({ minutes, isNew }) => {
	const { newRun } = useSources({ schema: schemaOf() });
	const note = async (order: string) =>
		await noteReadOrder(await newRun(), sheet, order.split(' '));
	await note(usual);
	await note(swapped);
	const now = Date.now();
	const later = jest.spyOn(Date, 'now').mockReturnValue(now + 5 * 60_000);
	await note(swapped);
	later.mockReturnValue(now + minutes * 60_000);
	expect(await note(usual)).toBe(isNew);
});

it.each([
	{ which: 'latest', order: swapped, isNew: false },
	{ which: 'earlier', order: usual, isNew: true },
])('after a pause, the $which of two orders is news: $isNew', async ({ order, isNew }) => {
	const { newRun } = useSources({ schema: schemaOf() });
	const note = async (read: string) => await noteReadOrder(await newRun(), sheet, read.split(' '));
	await note(usual);
	await note(swapped);
	jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 11 * 60_000);
	expect(await note(order)).toBe(isNew);
});

describe('a service that reads fields in another order than it lists them', () => {
	const listed = schemaOf(
		...['A', 'C', 'B'].map((fieldName, at) => ({ fieldId: `100000${at}`, fieldName })),
	);

	/** Notes a read in a run. Returns whether its order is news. */
	async function note(newRun: () => Promise<Client>, isListed: boolean) {
		const client = await newRun();
		if (isListed) await loadFieldList(client, sheet);
		return await noteReadOrder(client, sheet, usual.split(' '));
	}

	it('is news once if another run loaded the list, also after a pause', async () => {
		const { newRun } = useSources({ schema: listed });
		await loadFieldList(await newRun(), sheet);
		expect(await note(newRun, false)).toBe(true);
		const now = Date.now();
		for (const hours of [1, 2, 3]) {
			clock.milliseconds += 60 * minute;
			jest.spyOn(Date, 'now').mockReturnValue(now + hours * 60 * minute);
			await loadFieldList(await newRun(), sheet);
			expect(await note(newRun, false)).toBe(false);
		}
	});

	it('is no news to a run that loaded the list itself', async () => {
		const { newRun } = useSources({ schema: listed });
		expect(await note(newRun, true)).toBe(false);
	});
});
