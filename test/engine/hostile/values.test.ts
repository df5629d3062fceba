import { orders, type SeenRequest } from '../../service';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { addressOf, bombard } from './bombardment';
import { fewTexts } from './corpus';

const testbed = useRecordTestbed({ demoRecords: 1_000 });
const { remark } = orders.fields;

const member =
	(key: string) =>
	({ body }: SeenRequest) =>
		body && !Array.isArray(body) ? asText(body[key]) : undefined;

function asText(value: unknown): string | undefined {
	return typeof value === 'string' ? value : undefined;
}

const orderPath = (id: number) => `${addressOf(orders)}/${id}`;
const remarkOf = (id: number, text: string): [string, string] => [
	`${orders.path}/${orders.index}/${id} ${remark}`,
	JSON.stringify(text),
];

describe('a value of a record', () => {
	const update = {
		operation: 'update',
		sheet: sheet(orders),
		recordId: recordId('={{ $json.id }}'),
		// The service's script would write into another field.
		options: { doWorkflow: false },
	};
	const expected = {
		refuses: () => false,
		carried: member(remark),
		path: orderPath,
		query: ['api', 'doWorkflow'],
		changes: remarkOf,
	};

	it('arrives from JSON', async () => {
		const recordJson = `={{ JSON.stringify({ '${remark}': $json.text }) }}`;
		const hits = await bombard(testbed, {
			...expected,
			parameters: { ...update, inputMode: 'json', recordJson },
		});
		expect(hits.map(({ json }) => json[remark])).toEqual(hits.map(({ text }) => text));
	});

	it('arrives from a mapped field', async () => {
		const fields = { mappingMode: 'defineBelow', value: { [remark]: '={{ $json.text }}' } };
		await bombard(testbed, { ...expected, parameters: { ...update, fields } });
	});

	it('arrives from the fields of the item', async () => {
		const fields = { mappingMode: 'autoMapInputData', value: null };
		await bombard(testbed, {
			...expected,
			parameters: { ...update, recordId: recordId('={{ $json._id }}'), fields },
			item: (text, id) => ({ [remark]: text, _id: id }),
		});
	});

	it('arrives in a multiple selection', async () => {
		const { tags } = orders.fields;
		testbed.service.data
			.sheet(orders)
			.field(tags)
			?.choices?.push(...fewTexts);
		const recordJson = `={{ JSON.stringify({ '${tags}': [$json.text, 'Gift'] }) }}`;
		await bombard(testbed, {
			...expected,
			parameters: { ...update, inputMode: 'json', recordJson },
			texts: fewTexts,
			carried: ({ body }) => {
				const value = body && !Array.isArray(body) ? body[tags] : undefined;
				return Array.isArray(value) && value[1] === 'Gift' ? asText(value[0]) : undefined;
			},
			changes: (id, text) => [
				`${orders.path}/${orders.index}/${id} ${tags}`,
				JSON.stringify([text, 'Gift']),
			],
		});
	});
});
