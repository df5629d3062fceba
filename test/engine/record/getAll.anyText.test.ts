import { assert, asyncProperty, oneof, string, stringMatching } from 'fast-check';

import { orders } from '../../service';
import { sheet, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed();

/** Texts of whole characters, and those that look like what the filter's encoding is made of. */
const anyText = oneof(
	string({ unit: 'grapheme', minLength: 1 }),
	string({ unit: 'binary', minLength: 1 }),
	stringMatching(/^[a-f0-9%,+& =?#;"'\\/]{1,12}$/),
);

describe('a condition with any text', () => {
	it('finds the record that holds it, and no other', async () => {
		await assert(
			asyncProperty(anyText, async (text) => {
				testbed.service.reset();
				testbed.service.data.record(orders, 7).set(orders.fields.remark, text);
				const condition = {
					field: orders.fields.remark,
					operator: 'eq',
					value: '={{ $json.text }}',
				};
				const { items, error } = await testbed.run(
					{
						operation: 'getAll',
						sheet: sheet(orders),
						returnAll: true,
						filters: { conditions: [condition] },
						options: { fieldKeys: 'id' },
					},
					[{ text }],
				);
				expect(error).toBeUndefined();
				expect(items.map(({ json }) => [json._recordId, json[orders.fields.remark]])).toEqual([
					[7, text],
				]);
			}),
			{ numRuns: 25 },
		);
	}, 90_000);
});
