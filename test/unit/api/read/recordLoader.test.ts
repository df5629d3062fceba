import { plainReadOptions } from '../../../../nodes/api/read/readOptions';
import { RecordMemory } from '../../../../nodes/api/read/memory/recordMemory';
import { RecordLoader, recordLoader } from '../../../../nodes/api/read/recordLoader';
import { FakeService } from '../http/fakeService';

const sheet = { folders: ['sales'], sheetIndex: 1 };
const options = plainReadOptions('EID');
const newMemory = () => new RecordMemory('sheet', 'user');

/** Answers single reads and lists with its current records. Stores a request as its record ID or `list`. */
class Records {
	readonly values = new Map<string, string>();
	private readonly service = new FakeService(({ url }) => ({
		body: Object.fromEntries(
			[...this.values]
				.filter(([id]) => this.isList(url) || url.pathname.endsWith(`/${id}`))
				.map(([id, text]) => [id, { 7: text }]),
		),
	}));

	constructor(...ids: string[]) {
		for (const id of ids) this.values.set(id, 'first');
	}

	async connect() {
		return await this.service.connect();
	}

	get requests(): string[] {
		return this.service.requests.map(({ url }) =>
			this.isList(url) ? 'list' : (url.pathname.split('/').at(-1) ?? ''),
		);
	}

	private isList(url: URL): boolean {
		return url.searchParams.has('limit');
	}
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1}`);

/** Advances the package's clock. */
function passSeconds(seconds: number): void {
	const now = performance.now.bind(performance);
	jest.spyOn(performance, 'now').mockImplementation(() => now() + seconds * 1000);
}

afterEach(() => jest.restoreAllMocks());

describe('the record loader', () => {
	it('the record loader reads enqueued records by a list, and a few by single reads', async () => {
		const many = new Records(...numbers(20));
		const loader = new RecordLoader(newMemory(), sheet, options).enqueue(...numbers(20));
		const client = await many.connect();
		for (const id of numbers(20)) expect((await loader.load(client, id))?.get('7')).toBe('first');
		expect(many.requests).toEqual(['list']);
		const few = new Records(...numbers(3));
		const other = new RecordLoader(newMemory(), sheet, options).enqueue(...numbers(3));
		for (const id of numbers(3)) await other.load(await few.connect(), id);
		expect(few.requests).toEqual(['1', '2', '3']);
	});

	it('the record loader reads records that a list lacks by single reads, without another list', async () => {
		const existing = numbers(20);
		const records = new Records(...existing);
		const missing = numbers(30).map((id) => `10${id}`);
		const loader = new RecordLoader(newMemory(), sheet, options).enqueue(...existing, ...missing);
		const client = await records.connect();
		for (const id of missing) expect(await loader.load(client, id)).toBeUndefined();
		expect(records.requests).toEqual(['list', ...missing]);
	});

	it('records that a list returned are read by a list again when they are too old', async () => {
		const ids = numbers(20);
		const records = new Records(...ids);
		const loader = new RecordLoader(newMemory(), sheet, options).enqueue(...ids, ...ids);
		const client = await records.connect();
		for (const id of ids) await loader.load(client, id, 'recent');
		for (const id of ids) records.values.set(id, 'second');
		passSeconds(61);
		for (const id of ids) {
			expect((await loader.load(client, id, 'recent'))?.get('7')).toBe('second');
		}
		expect(records.requests).toEqual(['list', 'list']);
	});

	it('the record loader returns undefined for a record that does not exist', async () => {
		const records = new Records('1');
		expect(
			await new RecordLoader(newMemory(), sheet, options).load(await records.connect(), '2'),
		).toBeUndefined();
	});

	it('keeps a record for loadAndDrop only while another load of it is announced', async () => {
		const records = new Records('1');
		const client = await records.connect();
		const loader = new RecordLoader(newMemory(), sheet, options).enqueue('1', '1');
		await loader.loadAndDrop(client, '1');
		await loader.loadAndDrop(client, '1');
		expect(records.requests).toEqual(['1']);
		await loader.loadAndDrop(client, '1');
		expect(records.requests).toEqual(['1', '1']);
	});

	it.each([
		{ required: 'any', seconds: 60_000, isRead: false },
		{ required: 'recent', seconds: 50, isRead: false },
		{ required: 'recent', seconds: 61, isRead: true },
		{ required: 'recent', seconds: 60_000, isRead: true },
		{ required: 'current', seconds: 50, isRead: false },
		{ required: 'current', seconds: 61, isRead: true },
	] as const)(
		'reads a record that was loaded $seconds seconds ago again: $isRead, where $required is required',
		async ({ required, seconds, isRead }) => {
			const records = new Records('1');
			const client = await records.connect();
			const loader = new RecordLoader(newMemory(), sheet, options);
			await loader.load(client, '1');
			records.values.set('1', 'second');
			passSeconds(seconds);
			expect(loader.isExpired('1', required)).toBe(isRead);
			const content = await loader.load(client, '1', required);
			expect(content?.get('7')).toBe(isRead ? 'second' : 'first');
		},
	);

	it('reads a record again after a write to another record only if it must be current', async () => {
		const records = new Records('1', '2');
		const client = await records.connect();
		const memory = newMemory();
		const loader = new RecordLoader(memory, sheet, options);
		await loader.load(client, '1');
		memory.sent('2');
		await loader.load(client, '1', 'recent');
		expect(records.requests).toEqual(['1']);
		expect(loader.isExpired('1')).toBe(true);
		await loader.load(client, '1', 'current');
		expect(records.requests).toEqual(['1', '1']);
		expect(loader.isExpired('1')).toBe(false);
	});

	it('reads a written record by itself, because lists may return its previous content', async () => {
		const records = new Records(...numbers(20));
		const client = await records.connect();
		const memory = newMemory();
		const loader = new RecordLoader(memory, sheet, options).enqueue(...numbers(20));
		memory.sent('5');
		loader.prime({ id: '5', content: new Map([['7', 'former']]) });
		expect((await loader.load(client, '5'))?.get('7')).toBe('first');
		await loader.load(client, '6');
		expect(records.requests).toEqual(['5', 'list']);
	});

	it('requests the needed fields, and the fields of its options', async () => {
		const loader = new RecordLoader(newMemory(), sheet, { ...options, fields: ['1'] });
		expect(loader.reading.fields).toEqual(['1']);
		expect(loader.needFields(['2', '3', '2']).reading.fields).toEqual(['1', '2', '3']);
	});
});

it.each([
	{ question: 'of the same sheet and options', other: sheet, reading: options, isSame: true },
	{
		question: 'of a sheet in another folder',
		other: { ...sheet, folders: ['more'] },
		reading: options,
		isSame: false,
	},
	{
		question: 'of another sheet in the folder',
		other: { ...sheet, sheetIndex: 2 },
		reading: options,
		isSame: false,
	},
	{
		question: 'with other options',
		other: sheet,
		reading: plainReadOptions('FNAME'),
		isSame: false,
	},
])('a run has one loader for records $question: $isSame', async ({ other, reading, isSame }) => {
	const client = await new FakeService(() => ({ body: {} })).connect();
	const loader = recordLoader(client, sheet, options);
	expect(recordLoader(client, other, reading) === loader).toBe(isSame);
});
