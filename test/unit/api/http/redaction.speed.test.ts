import { secretDetector } from '../../../../nodes/api/http/redaction';
import { growth } from '../../growth';

it.each([
	'&amp;',
	'&#',
	'&#0',
	'&#x',
	'%25',
	'\\',
	'\\u005c',
	'&',
	'%',
	'&#38;',
	'&#x26;#38;',
	'\u001b[',
	'\u001b[1;',
])(
	'a text of only %s that is 16 times as long is checked in less than 80 times the time',
	(unit) => {
		const judge = secretDetector(['bWVtYmVyK2tleS/9MgL4cQ+dW5pdHMvd3JpdGVyAQ==', 'S3cret&Key1']);
		const check = (length: number) => {
			expect(judge(unit.repeat(length / unit.length))).toBe(false);
		};
		expect(growth(check, 8_000, 128_000, 80)).toBeLessThan(80);
	},
);
