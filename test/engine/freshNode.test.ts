import { NodeHelpers } from 'n8n-workflow';
import type { INode } from 'n8n-workflow';
import { offeredOperations } from './operations';
import { usePickListTestbed } from './pickListTestbed';
import { packageName, packageTypes } from './runner';

const testbed = usePickListTestbed();

/** Required parameters without a default value. */
const requiredNames = new Set([
	...['sheet', 'recordId', 'buttonId', 'subtableId', 'rowId', 'fieldId', 'matchFields'],
	...['comment', 'taskId', 'fileValue', 'outputDataFieldName', 'inputDataFieldName', 'fields'],
]);

async function freshNode(resource: string, operation: string) {
	const type = `${packageName}.sheetRecords`;
	const { description } = (await packageTypes()).getByNameAndVersion(type);
	const node: INode = {
		...{ id: 'fresh', name: 'Sheet Records', type, typeVersion: 1, position: [0, 0] },
		parameters: { resource, operation },
	};
	const { properties } = description;
	const { parameters } = node;
	node.parameters =
		NodeHelpers.getNodeParameters(properties, parameters, true, false, node, description) ?? {};
	return { description, node };
}

it('a fresh node marks only the sheet and other necessary values as missing', async () => {
	const wrong: string[] = [];
	for (const { resource, operation } of await offeredOperations()) {
		const { description, node } = await freshNode(resource.value, operation.value);
		const issues = NodeHelpers.getNodeParametersIssues(description.properties, node, description);
		for (const name of Object.keys(issues?.parameters ?? {})) {
			if (!requiredNames.has(name)) wrong.push(`${resource.value}.${operation.value}: ${name}`);
		}
	}
	expect(wrong).toEqual([]);
});

it('no list of a fresh node is an error or sends a request', async () => {
	const { methods } = (await packageTypes()).getByNameAndVersion(`${packageName}.sheetRecords`);
	const lists = (['loadOptions', 'listSearch', 'resourceMapping'] as const).flatMap((kind) =>
		Object.keys(methods?.[kind] ?? {}).map((name) => ({ kind, name })),
	);
	const ofSheet = lists.filter(({ name }) => name !== 'searchSheets');
	expect(ofSheet.length).toBeGreaterThan(7);
	for (const { resource, operation } of await offeredOperations()) {
		const { node } = await freshNode(resource.value, operation.value);
		for (const list of ofSheet) {
			const visible = await testbed.ask({
				...list,
				parameters: { ...node.parameters, sheet: { __rl: true, mode: 'list', value: '' } },
			});
			expect(JSON.stringify(visible)).toMatch(/Choose the sheet first/i);
		}
	}
	expect(testbed.service.requests.count).toBe(0);
});
