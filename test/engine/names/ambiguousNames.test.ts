import type { INodeParameters } from 'n8n-workflow';
import { orders } from '../../service';
import { asJson } from '../record/recordValues';
import { recordId, sheet } from '../recordTestbed';
import { activatePolling } from '../runner';
import { useFreshTriggerTestbed } from '../trigger/triggerTestbed';

/** The orders have two fields with the name `Note`. No list of fields guesses which one is meant. */
const trigger = useFreshTriggerTestbed();
const { note, secondNote } = orders.fields;
const both = new RegExp(
	`'Note'(?: in '[^']+')? is the name of 2 fields \\(${note}, ${secondNote}\\)`,
);
const inOrder = { sheet: sheet(orders), recordId: recordId(9) };

const identities = ['admin', 'member'] as const;
const users = identities.flatMap((identity) =>
	(['name', 'id'] as const).map((fieldKeys) => ({ identity, fieldKeys })),
);

describe.each(users)('for $identity, with field keys by $fieldKeys', ({ identity, fieldKeys }) => {
	async function errorOf(parameters: INodeParameters): Promise<string | undefined> {
		const credentials = trigger.credentials(identity);
		const result = await trigger.testbed.run({ ...inOrder, ...parameters }, [{ Note: 'x' }], {
			credentials,
		});
		return result.error?.message;
	}

	it.each<{ list: string; parameters: INodeParameters }>([
		{
			list: 'Only Fields of Get',
			parameters: { operation: 'get', options: { onlyFields: 'Note', fieldKeys } },
		},
		{
			list: 'Only Fields of a raw record',
			parameters: {
				operation: 'get',
				simplify: false,
				options: { onlyFields: 'City\nNote', fieldKeys },
			},
		},
		{
			list: 'Only Fields of Get Many',
			parameters: { operation: 'getAll', options: { onlyFields: ['Note'], fieldKeys } },
		},
		{
			list: 'Number Fields',
			parameters: { operation: 'get', options: { numberFields: 'Note', fieldKeys } },
		},
		{
			list: 'List Fields',
			parameters: { operation: 'get', options: { listFields: 'Note', fieldKeys } },
		},
		{
			list: 'Download Files',
			parameters: { operation: 'get', options: { downloadFiles: 'Note', fieldKeys } },
		},
		{
			list: 'Match Fields',
			parameters: {
				operation: 'upsert',
				...asJson({ Note: 'x' }),
				matchFields: ['Note'],
				options: { fieldKeys },
			},
		},
		{
			list: 'Filters',
			parameters: {
				operation: 'getAll',
				filters: { conditions: [{ field: 'Note', operator: 'ne', value: 'x' }] },
				options: { fieldKeys },
			},
		},
		{
			list: 'Sort',
			parameters: {
				operation: 'getAll',
				options: { sort: { rule: { field: 'Note', direction: 'ASC' } }, fieldKeys },
			},
		},
	])('$list rejects a name that two fields have, and the error has their IDs', async (row) => {
		expect(await errorOf(row.parameters)).toMatch(both);
	});

	it.each([['watchFields'], ['onlyFields']])(
		'%s of the polling trigger rejects a name that two fields have',
		async (list) => {
			const top = list === 'watchFields' ? { watchFields: ['Note'] } : {};
			const options = list === 'watchFields' ? { fieldKeys } : { onlyFields: ['Note'], fieldKeys };
			const parameters = { sheet: sheet(orders), events: ['UPDATE'], ...top, options };
			const credentials = trigger.credentials(identity);
			const poller = await activatePolling({ parameters, credentials });
			await expect(poller.poll()).rejects.toThrow(both);
			poller.close();
		},
	);

	it('the keys of the output are unique, so the second one is accepted', async () => {
		const options = { onlyFields: 'Note2', fieldKeys };
		expect(await errorOf({ operation: 'get', options })).toBeUndefined();
	});
});
