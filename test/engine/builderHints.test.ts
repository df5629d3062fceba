import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { packageName, packageTypes } from './runner';

async function descriptionOf(node: string): Promise<INodeTypeDescription> {
	const types = await packageTypes();
	return types.getByNameAndVersion(`${packageName}.${node}`).description;
}

/** The hints at the parameters of a name; a parameter without one counts as an empty text. */
function hintsAt(name: string, { properties }: INodeTypeDescription): string[] {
	return properties
		.filter((property: INodeProperties) => property.name === name)
		.map(({ builderHint }) => builderHint?.propertyHint ?? '');
}

it.each([
	['sheetRecords', 'sheetRecordsTrigger'],
	['sheetRecordsTrigger', 'sheetRecords'],
	['sheetRecordsPollingTrigger', 'sheetRecordsTrigger'],
])('a model that looks for a node is told of %s, and of %s beside it', async (node, other) => {
	const { builderHint } = await descriptionOf(node);
	expect(builderHint?.searchHint).toMatch(/record/);
	expect(builderHint?.relatedNodes).toEqual([
		{ nodeType: `${packageName}.${other}`, relationHint: expect.stringMatching(/record/) },
	]);
});

it.each([
	['sheetRecords', 'sheet'],
	['sheetRecords', 'recordId'],
	['sheetRecords', 'filters'],
	['sheetRecords', 'inputMode'],
	['sheetRecords', 'recordJson'],
	['sheetRecords', 'selection'],
	['sheetRecords', 'buttonId'],
	['sheetRecordsTrigger', 'sheet'],
	['sheetRecordsTrigger', 'registration'],
	['sheetRecordsPollingTrigger', 'sheet'],
	['sheetRecordsPollingTrigger', 'filters'],
])('a model that fills in %s is told about %s, wherever it is shown', async (node, name) => {
	const hints = hintsAt(name, await descriptionOf(node));
	expect(hints.length).toBeGreaterThan(0);
	for (const hint of hints) expect(hint.length).toBeGreaterThan(20);
});
