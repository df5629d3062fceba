import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { useRecordTestbed } from '../recordTestbed';
import { kinds, outcomes } from './outcomes';
import { fieldsOfKinds, outcomesOf } from './writtenForms';

/** No form of a value is stored otherwise in silence: it is stored, refused with words, or named in `_warning`. */
const testbed = useRecordTestbed({ demoRecords: 80 });

it.each(fieldsOfKinds)(
	'each form of a value has its outcome in a field of the kind $kind',
	async (field) => {
		const column = kinds.indexOf(field.kind) + 1;
		const expected = outcomes.map((row) => `${row[0]} → ${row[column]}`);
		const found = await outcomesOf(testbed, field);
		expect(outcomes.map(([form], index) => `${form} → ${found[index]}`)).toEqual(expected);
	},
);

it('at least 300 combinations of forms and kinds are tested', () => {
	expect(outcomes.length * kinds.length).toBeGreaterThan(300);
});

it('the table of forms in VALUES has these outcomes', () => {
	const page = readFileSync(join(__dirname, '../../../nodes/SheetRecords/VALUES.md'), 'utf8');
	const [, section = ''] = page.split('### Forms of values');
	const rows = [...section.matchAll(/^\| `(.+?)` +\| (.+?) +\| (.+?) +\| (.+?) +\|$/gm)];
	expect(rows.length).toBeGreaterThan(8);
	for (const [, form = '', number, date, checkbox] of rows) {
		const ofForm = (expression: string) => outcomes.find(([other]) => other === expression);
		const [, , ...found] = ofForm(`'${form}'`) ?? ofForm(form) ?? [];
		const [ofNumber = '', ofDate = '', , ofCheckbox = ''] = found;
		const words = [ofNumber, ofDate, ofCheckbox].map((outcome) => {
			if (outcome === 'refused') return 'Rejected';
			return outcome.endsWith(' !') ? 'Warning' : `\`${outcome.replace(/"/g, '')}\``;
		});
		expect([form, number, date, checkbox]).toEqual([form, ...words]);
	}
});
