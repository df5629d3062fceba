import { kindOfEquality, otherSpellings } from '../../../../../nodes/api/sheet/kinds/equality';
import { ServiceError } from '../../../../../nodes/api/http/serviceError';
import { FakeService, type FakeAnswer } from '../../http/fakeService';

/** Returns the texts by which other spellings of a value are found, each with the kind of field in which both are equal. */
const spellingsOf = (value: string) =>
	otherSpellings(value).map(({ kind, text }) => `${kind.name}: ${text}`);

it.each([
	{ value: '612', spellings: ['number: 612.000000'] },
	{ value: '1.5', spellings: ['number: 1.5000000'] },
	{ value: '0612', spellings: ['number: 612.000000'] },
	{ value: '1', spellings: ['number: 1.000000', 'checkbox: yEs'] },
	{ value: 'No', spellings: ['checkbox: nO'] },
	{ value: '2026/01/31', spellings: ['dateTime: 2026/01/31'] },
	{ value: '2026/01/31 09:30', spellings: ['dateTime: 2026/01/31 09:30'] },
	{ value: '2026/01/31 09:30:00', spellings: ['dateTime: 2026/01/31 09:30:00'] },
	{ value: 'Ulm', spellings: [] },
])('other spellings of $value are found by $spellings', ({ value, spellings }) => {
	expect(spellingsOf(value)).toEqual(spellings);
});

it('numbers and words are looked for by a spelling that nobody enters', () => {
	for (const value of ['5', '1.50', '1,234.5', 'true']) {
		for (const { text } of otherSpellings(value)) expect(text).not.toBe(value);
	}
});

describe('the kind of equality of a field whose records cannot be compared', () => {
	beforeEach(() => jest.useFakeTimers());
	afterEach(() => jest.useRealTimers());

	const kindFor = async (answer: FakeAnswer) => {
		const service = new FakeService(() => answer);
		const client = await service.connect();
		const sheet = { folders: ['sales'], sheetIndex: 1 };
		const asked = kindOfEquality(client, sheet, '1000001', '612').then(
			({ name }) => name,
			(thrown: unknown) => thrown,
		);
		// A refused request and a failed one are sent again.
		await jest.advanceTimersByTimeAsync(60_000);
		return await asked;
	};
	const refusal = (code: number) => ({ body: { status: 'ERROR', code, msg: 'No' } });

	it.each([
		{ refusal: 'the value', answer: refusal(201) },
		{ refusal: 'the request', answer: refusal(202) },
		{ refusal: 'the user', answer: refusal(106) },
		{ refusal: 'HTTP 403', answer: { status: 403 } },
	])('is that of texts if the service refuses $refusal', async ({ answer }) => {
		expect(await kindFor(answer)).toBe('text');
	});

	it.each([
		{ failure: 'a rejected key', answer: refusal(304) },
		{ failure: 'HTTP 500', answer: { status: 500 } },
		{ failure: 'a web page', answer: { body: '<html></html>' } },
	])('is not known after $failure, which is thrown', async ({ answer }) => {
		expect(await kindFor(answer)).toBeInstanceOf(ServiceError);
	});
});

it('a run asks once how the service compares each field with each value, and not once for all of them', async () => {
	const stored = { 1000001: '612', 1000002: 'Yes' };
	const found = (url: URL) =>
		Object.entries(stored).filter(([id]) => url.search.includes(`where=${id},`));
	const service = new FakeService(({ url }) => ({ body: { 7: Object.fromEntries(found(url)) } }));
	const client = await service.connect();
	const kindOf = async (fieldId: string, value: string) =>
		(await kindOfEquality(client, { folders: ['sales'], sheetIndex: 1 }, fieldId, value)).name;
	for (let times = 0; times < 2; times++) {
		expect(await kindOf('1000001', '612')).toBe('number');
		expect(await kindOf('1000002', '612')).toBe('text');
		expect(await kindOf('1000002', 'yes')).toBe('checkbox');
		expect(await kindOf('1000001', 'yes')).toBe('text');
	}
	expect(service.requests).toHaveLength(4);
});
