import type { INodeParameters, NodeParameterValueType } from 'n8n-workflow';
import { externalUsers, internalUsers, type SheetAddress } from '../../service';
import { useRecordTestbed } from '../recordTestbed';
import { assign, byIds, mass, quickly, replace } from './massParameters';

const testbed = useRecordTestbed();
const { fields } = internalUsers;

const run = async (parameters: INodeParameters) =>
	await testbed.run(parameters, [{}], testbed.as('admin'));

async function set(
	userSheet: 'none' | 'internal' | 'external',
	field: string,
	value: NodeParameterValueType,
	selection = byIds('3'),
) {
	const sheet = userSheet === 'external' ? externalUsers : internalUsers;
	const options = { ...quickly, userSheet };
	return await run(mass('update', { ...selection, ...assign([field, value]), options }, sheet));
}

const groups = (sheet: SheetAddress, id: number) =>
	testbed.service.data.record(sheet, id).value(fields.groups);
const sentValue = () => testbed.writes[0]?.body;

it.each([fields.email, fields.kind])(
	'a change of the protected field %s is rejected before anything is sent',
	async (field) => {
		for (const userSheet of ['internal', 'external'] as const) {
			const result = await set(userSheet, field, 'x');
			expect(result.error?.message).toContain('cannot be changed by a mass operation');
			const options = { ...quickly, userSheet };
			const change = { ...byIds('3'), ...replace(field, 'x', 'y'), options };
			const sheet = userSheet === 'external' ? externalUsers : internalUsers;
			const { error } = await run(mass('searchReplace', change, sheet));
			expect(error?.message).toContain('cannot be changed by a mass operation');
		}
		expect(testbed.writes).toEqual([]);
	},
);

describe('groups', () => {
	const names = ['Sales', 'Support "B"'];

	it.each([
		['an array', '={{ ["Sales", "Support \\"B\\""] }}', names],
		['names with commas', 'Sales, Support "B",', names],
	])('groups may be %s, and are sent as a text with a JSON array', async (_, value, expected) => {
		await set('internal', fields.groups, value);
		expect(sentValue()).toEqual({ action: [{ field: 3, value: JSON.stringify(expected) }] });
		expect(groups(internalUsers, 3)).toEqual(expected);
	});

	it('groups of external users begin with x- or X-', async () => {
		const result = await set('external', fields.groups, 'x-a,Sales');
		expect(result.error?.message).toContain("'Sales' cannot be a group of external users");
		expect(testbed.service.requests.count).toBe(0);
		await set('external', 'Groups', 'x-a,X-B');
		expect(groups(externalUsers, 3)).toEqual(['x-a', 'X-B']);
	});

	it('groups of external users keep their prefix when they are replaced', async () => {
		const overrides = (valueNew: string) => ({
			...byIds('3'),
			...replace(fields.groups, 'x-customers', valueNew),
			options: { ...quickly, userSheet: 'external' },
		});
		const result = await run(mass('searchReplace', overrides('Sales'), externalUsers));
		expect(result.error?.message).toContain('cannot be a group of external users');
		expect(testbed.service.requests.count).toBe(0);
		await run(mass('searchReplace', overrides('x-partners'), externalUsers));
		expect(groups(externalUsers, 3)).toEqual(['x-partners']);
	});
});
