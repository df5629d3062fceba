import type { INodeParameters, NodeParameterValueType } from 'n8n-workflow';

import { externalUsers, internalUsers, type SheetAddress } from '../../service';
import { useRecordTestbed } from '../recordTestbed';
import { assign, byConditions, byIds, mass, quickly, replace } from './massParameters';

const testbed = useRecordTestbed();
const { fields } = internalUsers;

const run = async (parameters: INodeParameters) =>
	await testbed.run(parameters, [{}], { credentials: testbed.credentials('admin') });

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

describe('protected fields', () => {
	it.each([fields.email, fields.kind])(
		'%s is refused before anything is changed',
		async (field) => {
			for (const userSheet of ['internal', 'external'] as const) {
				const result = await set(userSheet, field, 'x');
				expect(result.error?.message).toContain('cannot be changed by a mass operation');
			}
			expect(testbed.writes).toEqual([]);
		},
	);

	it.each(['E-mail', '004'])('are known by any name: %s', async (field) => {
		const result = await set('internal', field, 'x');
		expect(result.error?.message).toContain('cannot be changed by a mass operation');
		expect(testbed.writes).toEqual([]);
	});

	it('are refused to search and replace, too', async () => {
		const options = { ...quickly, userSheet: 'internal' };
		const parameters = { ...byIds('3'), ...replace(fields.status, 'Active', 'x'), options };
		const result = await run(mass('searchReplace', parameters, internalUsers));
		expect(result.error?.message).toContain('(Status) of a users sheet');
		expect(testbed.writes).toEqual([]);
	});

	it('are fields like others on other sheets: the service decides', async () => {
		const result = await set('none', fields.status, 'Suspended');
		expect(testbed.writes).toHaveLength(1);
		expect(result.error?.message).toContain('Field 31 cannot be mass updated');
	});
});

describe('groups', () => {
	const names = ['Sales', 'Support "B"'];

	it.each([
		['an array', '={{ ["Sales", "Support \\"B\\""] }}', names],
		['names with commas', 'Sales, Support "B",', names],
	])('may be %s, and are sent as a text with a JSON array', async (_, value, expected) => {
		await set('internal', fields.groups, value);
		expect(sentValue()).toEqual({ action: [{ field: 3, value: JSON.stringify(expected) }] });
		expect(groups(internalUsers, 3)).toEqual(expected);
	});

	it('cannot be nothing', async () => {
		const result = await set('internal', fields.groups, '');
		expect(result.error?.message).toBe("'Groups' is empty");
		expect(testbed.service.requests.count).toBe(0);
	});

	it('of external users begin with x- or X-', async () => {
		const result = await set('external', fields.groups, 'x-a,Sales');
		expect(result.error?.message).toContain("'Sales' cannot be a group of external users");
		expect(testbed.service.requests.count).toBe(0);
		await set('external', 'Groups', 'x-a,X-B');
		expect(groups(externalUsers, 3)).toEqual(['x-a', 'X-B']);
	});

	it('of external users keep that when they are replaced', async () => {
		const more = (valueNew: string) => ({
			...byIds('3'),
			...replace(fields.groups, 'x-customers', valueNew),
			options: { ...quickly, userSheet: 'external' },
		});
		const result = await run(mass('searchReplace', more('Sales'), externalUsers));
		expect(result.error?.message).toContain('cannot be a group of external users');
		expect(testbed.service.requests.count).toBe(0);
		await run(mass('searchReplace', more('x-partners'), externalUsers));
		expect(groups(externalUsers, 3)).toEqual(['x-partners']);
	});
});

describe('the last administrators', () => {
	const everyone = byConditions([fields.status, 'eq', 'Active']);
	const warning = expect.stringContaining('No user would be left in the group SYSAdmin');

	it.each([
		['by ids', byIds('1,2,3')],
		['by conditions', everyone],
	])('are warned about before they lose the group: %s', async (_, selection) => {
		const result = await set('internal', fields.groups, 'Sales', selection);
		expect(result.items[0]?.json).toMatchObject({ _warning: warning });
		expect(result.hints).toContainEqual(
			expect.objectContaining({ type: 'warning', message: warning }),
		);
	});

	it.each([
		['one of them is not selected', 'Sales', byIds('1,3')],
		['they keep the group', 'Sales,SYSAdmin', everyone],
	])('are no concern when %s', async (_, value, selection) => {
		const result = await set('internal', fields.groups, value, selection);
		expect(result.items[0]?.json).not.toHaveProperty('_warning');
		expect(result.hints.map(({ type }) => type)).toEqual(['info']);
	});

	it('are warned about when the group is replaced by another', async () => {
		const parameters = (valueReplaced: string) => ({
			...everyone,
			...replace(fields.groups, valueReplaced, 'Staff'),
			options: { ...quickly, userSheet: 'internal' },
		});
		const result = await run(mass('searchReplace', parameters('SYSAdmin'), internalUsers));
		expect(result.items[0]?.json).toMatchObject({ _warning: warning });
		const other = await run(mass('searchReplace', parameters('Sales'), internalUsers));
		expect(other.items[0]?.json).not.toHaveProperty('_warning');
	});

	it('cost no request where the group does not matter', async () => {
		await set('internal', fields.department, 'West', byIds('1,2'));
		expect(testbed.reads.every(({ rawUrl }) => rawUrl.includes('taskId='))).toBe(true);
	});

	it('are not known where the sheet cannot be read; the operation goes on', async () => {
		testbed.service.faults.inject({
			kind: 'body',
			body: '{"status":"ERROR","code":106,"msg":"No access right."}',
			times: 9,
			when: ({ method, rawUrl }) => method === 'GET' && !rawUrl.includes('taskId='),
		});
		const result = await set('internal', fields.groups, 'Sales', byIds('1,2,3'));
		expect(result.status).toBe('success');
		expect(result.items[0]?.json).not.toHaveProperty('_warning');
	});
});

it('groups mean nothing on a sheet of another kind', async () => {
	await set('none', fields.groups, '={{ ["Sales"] }}');
	expect(sentValue()).toEqual({ action: [{ field: 3, value: ['Sales'] }] });
});
