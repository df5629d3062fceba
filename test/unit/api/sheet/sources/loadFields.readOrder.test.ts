import { noteReadOrder } from '../../../../../nodes/api/sheet/sources/loadFields';
import { beginAnew, schemaOf, sheet, useSources } from './fieldSources';

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
