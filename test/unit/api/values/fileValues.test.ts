import fc from 'fast-check';

import { fileValuesOf, isFileType, isSurelyFile } from '../../../../nodes/api/values/fileValues';

const fileValue = fc
	.tuple(fc.stringMatching(/^[A-Za-z0-9]{1,8}$/), fc.string({ unit: 'grapheme' }))
	.map(([prefix, name]) => `${prefix}@${name}`);
const empties = fc.constantFrom('', null, undefined);

describe('values of files', () => {
	it('are the same alone, in an array and in its JSON text, without what is empty', () => {
		fc.assert(
			fc.property(fc.array(fc.oneof(fileValue, empties)), (elements) => {
				const values = elements.filter((element) => typeof element === 'string' && element !== '');
				if (values.length === 0) {
					expect(() => fileValuesOf(elements)).toThrow('The file value is empty');
					return;
				}
				expect(fileValuesOf(elements)).toEqual(values);
				expect(fileValuesOf(` ${JSON.stringify(elements)}`)).toEqual(values);
				if (values.length === 1) expect(fileValuesOf(values[0])).toEqual(values);
			}),
		);
	});

	it.each([
		['a number', 7],
		['an object', { value: 'a@b.pdf' }],
		['a number among values', ['a@b.pdf', 7]],
		['an object among values', ['a@b.pdf', {}]],
		['a list in a list', [['a@b.pdf']]],
		['a text without a prefix', ['a@b.pdf', 'b.pdf']],
		['such a JSON text', '["a@b.pdf", false]'],
	])('are refused when one is none: %s', (_, value) => {
		expect(() => fileValuesOf(value)).toThrow('is not the value of a file field');
	});

	it('are refused when they begin like an array and are none', () => {
		expect(() => fileValuesOf('["a@b.pdf"')).toThrow('is not a JSON array');
	});
});

describe('what is surely a file', () => {
	it('is never an e-mail address, nor a text that begins with one', () => {
		const domains = fc.constantFrom('com', 'org', 'de', 'ai', 'zip', 'mov', 'photography');
		const rest = fc.constantFrom('', ', see plan.pdf', ' old.docx', '; b@example.org', '\nx.txt');
		fc.assert(
			fc.property(fc.emailAddress(), domains, rest, (address, domain, more) => {
				const ended = address.replace(/[^.]+$/, domain);
				expect(isSurelyFile(`${ended}${more}`)).toBe(false);
			}),
		);
	});

	it('has a short prefix and a name with the extension of a file', () => {
		const files = ['kq2Ab@contract.pdf', 'kq2Ab@Report v1.2 (final).DOCX', 'kq2Ab@報告 🎉.png'];
		expect([...files, 'kq2Ab@max@acme@home.txt'].every(isSurelyFile)).toBe(true);
		const others = ['', '@name.pdf', 'a b@name.pdf', 'a.b@name.pdf', 'a@README', 'a@archive.zip'];
		expect([...others, 7, null].some(isSurelyFile)).toBe(false);
	});
});

it('some types hold files', () => {
	expect(['file', 'File Upload', 'IMAGE'].every(isFileType)).toBe(true);
	expect(['email', 'text', 'link'].some(isFileType)).toBe(false);
});
