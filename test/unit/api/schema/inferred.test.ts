import { inferredTypes } from '../../../../nodes/api/schema/fieldTypes';
import { parseOrderedJson } from '../../../../nodes/api/json/orderedJson';
import { recordsOf } from '../../../../nodes/api/read/record';

/** The types that records show, each given by its fields. */
function typesOf(...records: object[]) {
	const numbered = Object.fromEntries(records.map((fields, index) => [index + 1, fields]));
	const value = parseOrderedJson(JSON.stringify(numbered));
	return Object.fromEntries(inferredTypes(recordsOf(value)));
}

it.each<[string, unknown[], string | undefined]>([
	['days', ['2026/01/31', '', '2025/12/01'], 'date'],
	['days and a text', ['2026/01/31', 'asap', '2026/01/31'], 'date or text'],
	['as many texts', ['2026/01/31', 'soon'], 'text'],
	['a day that is none', ['2026/02/30'], 'text'],
	['a list', ['2026/01/31', ['Gift', 'Bulk'], 'Gift'], 'multipleSelection'],
	['a list of files', [['', 'kq2Ab@a.pdf']], 'text'],
	['nothing', ['', null, []], undefined],
])('%s show what the field is for', (_, values, type) => {
	expect(typesOf(...values.map((value) => ({ 1000001: value })))['1000001']).toBe(type);
});
