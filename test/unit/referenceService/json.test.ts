import fc from 'fast-check';
import { readJsonWithNumbersAsText, writeJson } from '../../service/json';

describe('writing JSON', () => {
	it('keeps the order of keys that look like integers', () => {
		const value = new Map([
			['10', 'a'],
			['2', 'b'],
		]);
		expect(writeJson(value)).toBe('{"10":"a","2":"b"}');
	});

	it('agrees with JSON.stringify on everything else', () => {
		const value = fc.jsonValue({ noUnicodeString: false });
		fc.assert(
			fc.property(value, (json) => {
				const text = JSON.stringify(json);
				return writeJson(JSON.parse(text)) === JSON.stringify(JSON.parse(text));
			}),
		);
	});
});

describe('reading JSON', () => {
	it('gives numbers as their text and leaves texts alone', () => {
		const text = '{"a":12345678901234567890,"b":[-1.50e3,"2 \\"3\\" \\\\"],"4":null,"c":true}';
		expect(readJsonWithNumbersAsText(text)).toEqual({
			a: '12345678901234567890',
			b: ['-1.50e3', '2 "3" \\'],
			'4': null,
			c: true,
		});
	});
});
