import { FormBody } from '../../../nodes/wire/formBody';
import type { FilePart } from '../../../nodes/wire/formBody';

const file = (content: string): FilePart => ({
	name: 'ä "b".txt',
	type: 'text/plain',
	size: Buffer.byteLength(content),
	async *stream() {
		yield Buffer.from(content);
	},
});

async function contentOf({ stream }: FilePart): Promise<string> {
	const chunks: Uint8Array[] = [];
	for await (const chunk of stream()) chunks.push(chunk);
	return Buffer.concat(chunks).toString();
}

describe('a form body', () => {
	const contract = file('content');
	const body = new FormBody([
		['1000005', 'a'],
		['1000005', 'b'],
		['1000006', contract],
	]);

	it('yields its parts in order, repetitions included, as often as it is asked', () => {
		const parts = [
			['1000005', 'a'],
			['1000005', 'b'],
			['1000006', contract],
		];
		for (let time = 0; time < 2; time++) {
			expect([...body]).toEqual(parts);
			expect([...body.entries()]).toEqual(parts);
		}
	});

	it('is taken for FormData by its looks', () => {
		expect(Object.prototype.toString.call(body)).toBe('[object FormData]');
		expect(typeof body.append).toBe('function');
		expect(Object.getPrototypeOf(body)).not.toBe(Object.prototype);
	});

	it('cannot be added to', () => {
		expect(() => body.append()).toThrow(TypeError);
		expect([...body]).toHaveLength(3);
	});

	it('gives the bytes of a file again when it is sent again', async () => {
		expect([await contentOf(contract), await contentOf(contract)]).toEqual(['content', 'content']);
	});

	it('may be empty', () => {
		expect([...new FormBody([])]).toEqual([]);
	});
});
