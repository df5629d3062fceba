import { FormBody } from '../../../../nodes/api/values/formBody';
import type { FilePart } from '../../../../nodes/api/values/formBody';

async function contentOf({ stream }: FilePart): Promise<string> {
	const chunks: Uint8Array[] = [];
	for await (const chunk of stream()) chunks.push(chunk);
	return Buffer.concat(chunks).toString();
}

const contract: FilePart = {
	name: 'ä "b".txt',
	type: 'text/plain',
	size: 7,
	async *stream() {
		yield Buffer.from('content');
	},
};

describe('a form body', () => {
	it('yields its parts in order, repetitions included, as often as it is asked', () => {
		const parts: Array<[string, string | FilePart]> = [
			['1000005', 'a'],
			['1000005', 'b'],
			['1000006', contract],
		];
		const body = new FormBody(parts);
		for (let time = 0; time < 2; time++) {
			expect([...body]).toEqual(parts);
			expect([...body.entries()]).toEqual(parts);
		}
		expect([...new FormBody([])]).toEqual([]);
	});

	it('is taken for FormData by its looks, and cannot be added to', () => {
		const body = new FormBody([]);
		expect(Object.prototype.toString.call(body)).toBe('[object FormData]');
		expect(Object.getPrototypeOf(body)).not.toBe(Object.prototype);
		expect(() => body.append()).toThrow(TypeError);
	});

	it('sends a text with line breaks as bytes without a name, again and again', async () => {
		const [[name, value] = []] = [...new FormBody([['b', 'ä\r\nb\nc']])];
		if (value === undefined || typeof value === 'string') throw new Error('The text is no part');
		expect([name, value.name, value.type]).toEqual(['b', '', 'text/plain;charset=UTF-8']);
		expect(value.size).toBe(Buffer.byteLength('ä\r\nb\nc'));
		for (let time = 0; time < 2; time++) expect(await contentOf(value)).toBe('ä\r\nb\nc');
	});
});
