import { orders } from '../../service';
import { sheet, useRecordTestbed } from '../recordTestbed';
import { addressOf, bombard } from './bombardment';
import { holdsHalfPair, nastyTexts } from './corpus';

const testbed = useRecordTestbed({ demoRecords: 1_000 });
const { remark, reference } = orders.fields;

/** What the service takes for an empty field, and what no address can hold: half of a character, or too much. */
const cannotBeLookedUp = (text: string) => {
	if (text.trim() === '' || holdsHalfPair(text)) return true;
	const once = encodeURIComponent(text);
	return (/%[0-9a-f]{2}/i.test(text) ? encodeURIComponent(once) : once).length > 15_000;
};

it('the value by which a record is found finds the record that holds it, and changes no other', async () => {
	const values = `{ '${remark}': $json.text, '${reference}': 'found ' + $json.id }`;
	const { data } = testbed.service;
	await bombard(testbed, {
		parameters: {
			operation: 'upsert',
			sheet: sheet(orders),
			inputMode: 'json',
			matchFields: [remark],
			recordJson: `={{ JSON.stringify(${values}) }}`,
			options: { doWorkflow: false },
		},
		prepare: () => {
			for (const [index, text] of nastyTexts.entries()) {
				data.record(orders, index + 1).set(remark, text);
			}
			// Of all records, only those hold the texts.
			for (let id = nastyTexts.length + 1; id <= 1_000; id++) {
				data.record(orders, id).set(remark, `other ${id}`);
			}
		},
		refuses: cannotBeLookedUp,
		carried: 'many',
		changes: (id) => [
			`${orders.path}/${orders.index}/${id} ${reference}`,
			JSON.stringify(`found ${id}`),
		],
	});
	const paths = new Set(testbed.writes.map(({ path }) => path));
	const found = nastyTexts.flatMap((text, index) =>
		cannotBeLookedUp(text) ? [] : [`${addressOf(orders)}/${index + 1}`],
	);
	expect(paths).toEqual(new Set(found));
});
