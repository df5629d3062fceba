import { kindNamed } from '../../../../nodes/api/sheet/kinds/valueKinds';
import { isMatch, textsToFind } from '../../../../nodes/api/write/matchValues';

it.each([
	{ kind: 'text', stored: 'a', value: 'a', matches: true },
	{ kind: 'text', stored: '0612', value: '612', matches: false },
	{ kind: 'number', stored: '1000', value: '1,000', matches: true },
	{ kind: 'text', stored: undefined, value: 'a', matches: false },
	{ kind: 'text', stored: 'a,b', value: ['a', 'b'], matches: false },
	{ kind: 'unknown', stored: ['a', 'b'], value: 'b', matches: false },
	{ kind: 'unknown', stored: ['b'], value: 'b', matches: true },
	{ kind: 'unknown', stored: ['', 'b'], value: 'b', matches: true },
	{ kind: 'unknown', stored: ['a', 'b'], value: 'b, a', matches: true },
	{ kind: 'unknown', stored: ['a', 'b'], value: '["b","a"]', matches: true },
	{ kind: 'unknown', stored: ['a, b'], value: 'a, b', matches: true },
	{ kind: 'unknown', stored: ['a', 'b'], value: 'a, b, c', matches: false },
	{ kind: 'unknown', stored: ['a', 'b'], value: ['a', 'c'], matches: false },
	{ kind: 'unknown', stored: 'a,b', value: ['a', 'b'], matches: false },
	{ kind: 'multipleSelection', stored: ['a', 'b'], value: 'b', matches: false },
	{ kind: 'multipleSelection', stored: ['b', 'a'], value: ['a', 'b'], matches: true },
	{ kind: 'multipleSelection', stored: ['a', 'b', 'c'], value: ['a', 'b'], matches: false },
	{ kind: 'multipleSelection', stored: 'a', value: ['a', 'b'], matches: false },
	{ kind: 'multipleSelection', stored: 'b, a', value: ['a', 'b'], matches: true },
	// The text is one choice, because the choices of a text are known before it is compared.
	{ kind: 'multipleSelection', stored: ['a', 'b'], value: 'a, b', matches: false },
	{ kind: 'multipleSelection', stored: undefined, value: 'a', matches: false },
	{ kind: 'multipleSelection', stored: [], value: 'a', matches: false },
] as const)('a stored $stored matches $value as $kind: $matches', (row) => {
	const stored = typeof row.stored === 'object' ? [...row.stored] : row.stored;
	expect(isMatch(kindNamed(row.kind), stored, row.value)).toBe(row.matches);
});

it.each([
	{ kind: 'text', value: 'a, b', texts: ['a, b'] },
	{ kind: 'unknown', value: 'a, b', texts: ['a, b', 'a', 'b'] },
	{ kind: 'unknown', value: 'a', texts: ['a'] },
	{ kind: 'multipleSelection', value: ['a', 'b'], texts: ['a', 'b'] },
] as const)('the texts $texts are looked up for $value as $kind', ({ kind, value, texts }) => {
	expect(textsToFind(kindNamed(kind), value)).toEqual(texts);
});
