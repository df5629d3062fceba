import {
	noteNewlyWatched,
	noteWatched,
	withWatched,
} from '../../../nodes/SheetRecordsPollingTrigger/watchedValues';

const keysOf = (...ids: string[]) => ({
	keys: new Map(ids.map((id) => [id, id])),
	rowFields: new Map(),
});
const record = (status: string, city: string) => ({
	id: '7',
	content: new Map([
		['1', status],
		['2', city],
	]),
});

it('a field that is watched from now on starts with its present value, and the others keep theirs', () => {
	const watched = withWatched(undefined, ['1', '2']);
	noteWatched(watched, record('Open', ''), keysOf('1'));
	noteNewlyWatched(watched, record('Shipped', 'Ulm'), keysOf('1', '2'), ['2']);
	expect(watched.values.get('7')).toEqual({ 1: '"Open"', 2: '"Ulm"' });
	expect(noteWatched(watched, record('Shipped', 'Ulm'), keysOf('1', '2'))).toEqual({
		changed: ['1'],
		previous: new Map([['1', 'Open']]),
	});
});

it('a field that is not watched any more is forgotten, and a record without watched fields, too', () => {
	const watched = withWatched(undefined, ['1', '2']);
	noteWatched(watched, record('Open', 'Ulm'), keysOf('1', '2'));
	expect([...withWatched(watched, ['2']).values]).toEqual([['7', { 2: '"Ulm"' }]]);
	expect(withWatched(watched, ['3']).values.size).toBe(0);
});

it('a field that a poll does not find keeps the value that it had before', () => {
	const watched = withWatched(undefined, ['1', '2']);
	noteWatched(watched, record('Open', 'Ulm'), keysOf('1', '2'));
	noteWatched(watched, record('Shipped', 'Ulm'), keysOf('1'));
	expect(noteWatched(watched, record('Shipped', 'Bonn'), keysOf('1', '2'))).toEqual({
		changed: ['2'],
		previous: new Map([['2', 'Ulm']]),
	});
});

it('the values of a record that was read again are kept longer than those of earlier records', () => {
	const watched = withWatched(undefined, ['1', '2']);
	const note = (id: number) =>
		noteWatched(watched, { ...record('Open', 'Ulm'), id: String(id) }, keysOf('1', '2'));
	for (let id = 1; watched.values.size === id - 1; id++) note(id);
	const [oldest, ...others] = watched.values.keys();
	note(Number(oldest));
	note(0);
	expect([...watched.values.keys()]).toEqual([...others.slice(1), oldest, '0']);
});
