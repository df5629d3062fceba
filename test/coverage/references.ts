import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { packageName, type TypeLibrary } from '../engine/runner';

/**
 * What the package offers in n8n: `record.get,getAll: options.info`, `record.getAll: filters.conditions.operator=eq`,
 * `sheetRecordsTrigger: events=CREATE`, `sheetRecordsApi: apiKeyIn=query`.
 */
const form = /^([\w.,]+)(?:: ([\w.]+)(?:=(\S+))?)?$/;

/** Whether the built package has all that the reference names. */
export function isOffered(reference: string, types: TypeLibrary): boolean {
	const [, owner, path, value] = form.exec(reference) ?? [];
	if (owner === undefined) return false;
	return sourcesOf(owner, types).every(
		(properties) =>
			properties !== undefined &&
			(path === undefined || hasProperty(properties, path.split('.'), value)),
	);
}

/** The properties of a node or a credential, or of each of the operations that the owner names. */
function sourcesOf(owner: string, types: TypeLibrary): Array<INodeProperties[] | undefined> {
	const [name = '', operations] = owner.split('.');
	if (operations === undefined) return [propertiesOf(name, types)];
	const properties = propertiesOf('sheetRecords', types) ?? [];
	return operations.split(',').map((operation) => {
		const isOperation = properties
			.filter((property) => property.name === 'operation' && isShown(property, { resource: name }))
			.some((property) => hasValue(property, operation));
		if (!isOperation) return undefined;
		return properties.filter((property) => isShown(property, { resource: name, operation }));
	});
}

function propertiesOf(name: string, types: TypeLibrary): INodeProperties[] | undefined {
	if (['sheetRecordsApi', 'sheetRecordsSessionApi'].includes(name)) {
		return types.credential(name).properties;
	}
	if (!['sheetRecords', 'sheetRecordsTrigger', 'sheetRecordsPollingTrigger'].includes(name))
		return undefined;
	return types.getByNameAndVersion(`${packageName}.${name}`).description.properties;
}

function isShown({ displayOptions }: INodeProperties, chosen: Record<string, string>): boolean {
	return Object.entries(chosen).every(
		([parameter, value]) => displayOptions?.show?.[parameter]?.includes(value) ?? true,
	);
}

function hasProperty(
	properties: ReadonlyArray<INodeProperties | INodePropertyCollection>,
	[name, ...below]: string[],
	value: string | undefined,
): boolean {
	return properties
		.filter((property) => property.name === name)
		.some((property) => {
			if (below.length > 0) return hasProperty(childrenOf(property), below, value);
			return value === undefined || ('type' in property && hasValue(property, value));
		});
}

function childrenOf(
	parent: INodeProperties | INodePropertyCollection,
): Array<INodeProperties | INodePropertyCollection> {
	if ('values' in parent) return parent.values;
	return (parent.options ?? []).flatMap((option) => (isChoice(option) ? [] : [option]));
}

function isChoice(
	option: INodePropertyOptions | INodeProperties | INodePropertyCollection,
): option is INodePropertyOptions {
	return 'value' in option;
}

/** Whether a choice has the value, or a resource locator the mode. */
function hasValue({ options = [], modes = [] }: INodeProperties, value: string): boolean {
	return (
		options.filter(isChoice).some((option) => String(option.value) === value) ||
		modes.some((mode) => mode.name === value)
	);
}
