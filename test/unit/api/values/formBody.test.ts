import { FormBody, type FilePart } from '../../../../nodes/api/values/formBody';

it('a form body is detected as FormData, can be read again, and cannot be extended', () => {
	const body = new FormBody([
		['1000005', 'a'],
		['1000005', 'b'],
	]);
	expect([...body]).toEqual([...body.entries()]);
	expect(Object.prototype.toString.call(body)).toBe('[object FormData]');
	expect(Object.getPrototypeOf(body)).not.toBe(Object.prototype);
	expect(() => body.append()).toThrow(TypeError);
});

const bytesOf = async (part: string | FilePart | undefined) => {
	if (part === undefined || typeof part === 'string') return part;
	const chunks = [];
	for await (const chunk of part.stream()) chunks.push(chunk);
	return Buffer.concat(chunks).toString();
};

it.each([{ text: 'a\nb' }, { text: 'a\rb' }, { text: 'é\r\n' }])(
	'the line breaks of $text are sent unchanged, as bytes',
	async ({ text }) => {
		const [[name, part] = []] = new FormBody([['1000005', text]]);
		expect(name).toBe('1000005');
		expect(part).toMatchObject({ name: '', type: 'text/plain;charset=UTF-8' });
		expect(part).toHaveProperty('size', Buffer.byteLength(text));
		expect(await bytesOf(part)).toBe(text);
	},
);

it('a text in one line stays a text', () => {
	expect([...new FormBody([['1000005', 'a b']])]).toEqual([['1000005', 'a b']]);
});

it('an unpaired surrogate cannot be sent in a form', () => {
	expect(() => new FormBody([['1000005', 'a\ud83d']])).toThrow('contains an incomplete character');
});

const file = { name: 'a.txt', type: 'text/plain', size: 0, stream: async function* () {} };

it('a file is sent unchanged', () => {
	expect([...new FormBody([['1000005', file]])]).toEqual([
		['1000005', { ...file, stream: expect.any(Function) }],
	]);
});

it.each([
	{ what: 'shorter', bytes: 4 },
	{ what: 'longer', bytes: 6 },
])('a file that is $what than announced ends the reading and the request', async ({ bytes }) => {
	const stream = async function* () {
		yield Buffer.alloc(bytes);
	};
	const body = new FormBody([['1000005', { ...file, size: 5, stream }]]);
	const [[, part] = []] = body;
	await expect(bytesOf(part)).rejects.toThrow("The file 'a.txt' changed while it was sent");
	expect(body.signal.reason).toHaveProperty('name', 'InputError');
});

it('a closed form closes its files, which may need no closing', () => {
	const close = jest.fn();
	new FormBody([
		['1000005', 'a'],
		['1000006', { ...file, close }],
		['1000007', file],
	]).close();
	expect(close).toHaveBeenCalledTimes(1);
});

it('a form whose file could not be read is sent again after it was closed', async () => {
	const texts = ['short', 'as long as announced'];
	const stream = async function* () {
		yield Buffer.from(texts.shift() ?? '');
	};
	const body = new FormBody([['1000005', { ...file, size: 20, stream }]]);
	const [[, part] = []] = body;
	await expect(bytesOf(part)).rejects.toThrow();
	body.close();
	expect(body.signal.aborted).toBe(false);
	expect(await bytesOf(part)).toBe('as long as announced');
	expect(body.signal.aborted).toBe(false);
});

it('adding to a form body throws an error that the form is complete', () => {
	expect(() => new FormBody([]).append()).toThrow('A form body is complete when it is made');
});
