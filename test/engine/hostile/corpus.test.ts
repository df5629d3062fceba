import { allNastyTexts, holdsHalfPair } from './corpus';

describe('the nasty texts', () => {
	it('are at least 500, each another one', () => {
		expect(allNastyTexts.length).toBeGreaterThanOrEqual(500);
		expect(new Set(allNastyTexts).size).toBe(allNastyTexts.length);
	});

	it.each<[what: string, is: RegExp | ((text: string) => boolean)]>([
		['every control character', (text) => /\p{Cc}/u.test(text)],
		['halves of characters', holdsHalfPair],
		['marks of direction', /[\u202a-\u202e\u2066-\u2069]/],
		['names of what every object has', /^(?:__proto__|constructor|toString)$/],
		['very long ones', (text) => text.length >= 20_000],
		['percent forms', /%(?:2F|00|25)/],
		['templates', /\{\{|\$\{|<%/],
		['path tricks', /\.\.[/\\]|%2e%2e|^\/\//],
		['line breaks', /\r\n/],
		['numbers that lose digits', /^\d{17,}$/],
		['combining characters', /\p{Mark}/u],
	])('hold %s', (_what, is) => {
		expect(allNastyTexts.some((text) => (is instanceof RegExp ? is.test(text) : is(text)))).toBe(
			true,
		);
	});
});
