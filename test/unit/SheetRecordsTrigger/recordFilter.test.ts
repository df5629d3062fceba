import { maxRegexSteps } from '../../../nodes/api/webhooks/localFilter';
import { RecordFilter } from '../../../nodes/SheetRecordsTrigger/recordFilter';

const slow = { fieldId: '1', operator: 'regex', value: '((a{1,10}){1,10})+=' };
const recordOf = (text: string) => ({ content: new Map([['1', text]]) });

it('after the maximum of steps of a delivery, further records count as matching, with a warning', () => {
	const filter = new RecordFilter([slow]);
	const long = recordOf('a'.repeat(9_000));
	const short = recordOf('aaa');
	expect(filter.match(short)).toMatchObject({ isMatch: false });
	for (let steps = 0; steps < 50_000_000; steps += maxRegexSteps) filter.match(long);
	const match = filter.match(short);
	expect(match).toEqual({ isMatch: true, slowFields: ['1'], steps: 0 });
	expect(filter.warnings(short.content, match)).toEqual([
		"'1' takes too many steps, so the regular expression in 'Filters' was not applied to it and it counts as matching.",
	]);
	expect(filter.match({})).toMatchObject({ isMatch: true, slowFields: [] });
});

it('a text that is too long and one that takes too many steps are both named', () => {
	const filter = new RecordFilter([slow, { fieldId: '2', operator: 'regex', value: '^a+$' }]);
	const content = new Map([
		['1', 'a'.repeat(9_999)],
		['2', 'b'.repeat(10_001)],
	]);
	const warnings = filter.warnings(content, filter.match({ content }));
	expect(warnings.map((warning) => warning.slice(0, 20))).toEqual([
		"'2' has more than 10",
		"'1' takes too many s",
	]);
});
