import {
	array,
	constantFrom,
	letrec,
	nat,
	oneof,
	string,
	stringMatching,
	tuple,
	type Arbitrary,
} from 'fast-check';
import { nastyTexts } from '../../engine/hostile/corpus';
import { jsonSpellings } from '../../service';

const space = oneof(
	{ weight: 6, arbitrary: constantFrom('') },
	constantFrom(' ', '\n', '\t\r ', '  '),
);

const numbers = oneof(
	stringMatching(/^-?(?:0|[1-9]\d{0,24})(?:\.\d{1,24})?(?:[eE][+-]?\d{1,3})?$/),
	constantFrom('0', '-0', '1.0', '9007199254740993', '1e400', '1E-400', '0.10', '-0.0e-0'),
);

const everythingEscaped = (text: string) =>
	`"${text.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`;

/** JSON strings with more escapes than needed, as some serializers write them. */
const strings = tuple(
	oneof(
		string({ unit: 'binary', maxLength: 8 }),
		stringMatching(/^[a-d0-9"\\/<]{0,6}$/),
		constantFrom(...nastyTexts.filter((text) => text.length < 300)),
	),
	constantFrom(JSON.stringify, everythingEscaped, ...Object.values(jsonSpellings)),
).map(([text, spell]) => spell(text));

const keys = oneof(
	stringMatching(/^"(?:[1-9]\d{0,7}|[a-c]{1,2})"$/),
	constantFrom('"__proto__"', '"constructor"', '"toString"', '"\\u0061"', '""', '"0"', '"data"'),
	strings,
);

/** JSON texts in all valid spellings. Keys may repeat. */
export const jsonTexts: Arbitrary<string> = letrec<{ value: string }>((tie) => ({
	value: oneof(
		{ depthSize: 'small', withCrossShrink: true },
		oneof(constantFrom('null', 'true', 'false'), numbers, strings),
		tuple(space, array(tuple(space, tie('value'), space), { maxLength: 4 })).map(
			([inner, elements]) => `[${elements.map((parts) => parts.join('')).join(',') || inner}]`,
		),
		tuple(space, array(tuple(space, keys, space, tie('value'), space), { maxLength: 4 })).map(
			([inner, members]) => {
				const written = members.map(([a, key, b, value, c]) => `${a}${key}${b}:${value}${c}`);
				return `{${written.join(',') || inner}}`;
			},
		),
	),
})).value;

const pieces = constantFrom(
	...'0129.eE+-"\\/{}[]:, \n\tuntrflas',
	...['\u0000', '\u001f', '\u007f', 'é', '\ud800', '\ufeff', '\u2028', '😀'],
	...['\\u', '""', '{}', '[]', 'null'],
);

/** Returns texts with a few changes: characters removed, inserted, replaced, doubled or cut off. */
export function mutated(texts: Arbitrary<string>): Arbitrary<string> {
	const what = constantFrom('leave out', 'put in', 'replace', 'double', 'cut');
	const change = tuple(what, nat(), pieces);
	return tuple(texts, array(change, { minLength: 1, maxLength: 3 })).map(([text, changes]) =>
		changes.reduce((current, [kind, at, piece]) => {
			const position = at % (current.length + 1);
			const [before, after] = [current.slice(0, position), current.slice(position)];
			if (kind === 'leave out') return before + after.slice(1);
			if (kind === 'put in') return before + piece + after;
			if (kind === 'replace') return before + piece + after.slice(1);
			return kind === 'double' ? current.slice(0, at % 40) + current : before;
		}, text),
	);
}
