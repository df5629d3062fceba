import type { INodeProperties } from 'n8n-workflow';
import { offeredOperations } from './operations';
import { packageName, packageTypes } from './runner';

/** The names that saved workflows contain. A name that is missing or another one makes n8n drop the saved value. */

const ofService =
	'doDefaultValue doFormula doLinkLoad doValidation doWorkflow notification timeZone version';
const ofValues = 'clearEmpty fieldKeys files ignoreFields missingFile unknownChoices unknownFields';
const creating = `${ofService} ${ofValues} dryRun subtables`;
const changing = 'checkLock filesMode onConflict rowMatchFields rowsMode skipUnchanged';
const ofRows = `${ofService} ${ofValues} checkLock`;
const typing = 'fieldKeys listFields numberFields typedValues';
const flags = 'approval bbcode comment conversation history ignoreMask info';
const reading = `${typing} ${flags} additionalParameters downloadFiles emptyResult isoDates onlyFields subtables timeZone version`;
const searching = 'defaultFilter fullText ignoreFixedFilter sharedViewId where';
const waiting = 'failOnPartial pollInterval timeout';
const ofMass = `${waiting} preview timeZone where`;
const input = 'fields inputMode sheet';
const output = 'output outputFields sheet simplify';
const selection = 'filters recordIdField recordIds selection sheet waitForCompletion';
const row = 'recordId sheet subtableId';

const operations: Record<string, [parameters: string, options?: string]> = {
	'record.count': ['filters sheet', searching],
	'record.create': [`${input} recordJson`, creating],
	'record.upsert': [
		`${input} recordJson matchFields`,
		`${creating} ${changing} onMultipleMatches upsertMode`,
	],
	'record.delete': ['deleteBy matchFields recordId sheet', 'dryRun onMultipleMatches'],
	'record.duplicate': ['recordId sheet', `${ofService} copyFiles fieldKeys`],
	'record.get': [
		`${output} getBy matchFields matchValues recordId`,
		`${reading} keepInput onMultipleMatches`,
	],
	'record.getAll': [
		`${output} filters limit returnAll`,
		`${reading} ${searching} callback listing pageSize reverse sort`,
	],
	'record.ifExists': ['matchFields passOn sheet'],
	'record.update': [`${input} recordId recordJson`, `${creating} ${changing}`],
	'actionButton.getAll': ['limit returnAll sheet'],
	'actionButton.run': ['buttonId recordId sheet'],
	'comment.add': ['comment inputDataFieldName recordId sheet'],
	'comment.getAll': ['limit recordId returnAll sheet'],
	'document.export': [
		'fileFormat fileNameFieldId format outputDataFieldName recordId sheet templateId',
	],
	'document.exportList': ['firstRecord format lastRecord outputDataFieldName sheet templateId'],
	'file.download': ['downloadBy fieldId fileValue outputDataFieldName recordId sheet'],
	'file.upload': [
		'fieldId inputDataFieldName recordId sheet uploadMode',
		`${ofService} checkLock fieldKeys missingFile`,
	],
	'lock.lock': ['recordId sheet'],
	'lock.unlock': ['recordId sheet'],
	'massOperation.approve': [`${selection} approvalAction comment`, ofMass],
	'massOperation.lock': [`${selection} lockAction`, ofMass],
	'massOperation.runActionButton': [`${selection} buttonId`, ofMass],
	'massOperation.searchReplace': [`${selection} replacements`, `${ofMass} userSheet`],
	'massOperation.update': [`${selection} assignments`, `${ofMass} userSheet`],
	'sheet.getFields': ['sheet'],
	'sheet.importFromUrl': ['sheet'],
	'subtableRow.add': [`${row} fields inputMode rowJson`, ofRows],
	'subtableRow.delete': [`${row} rowId`, `${ofService} checkLock`],
	'subtableRow.getAll': [`${row} limit returnAll`, typing],
	'subtableRow.update': [`${row} fields inputMode rowId rowJson`, ofRows],
	'task.get': ['taskId', 'sheet'],
	'task.wait': ['taskId', `${waiting} sheet`],
};

/** Node → the values that can be chosen for each of its properties. */
const choices: Record<string, string> = {
	sheetRecords: `
		approvalAction: approve reject
		authentication: apiKey session
		deleteBy: match recordId
		direction: ASC DESC
		doLinkLoad: false first true
		downloadBy: field value
		emptyResult: emptyItem error none
		fieldKeys: id name
		fileFormat: docx pdf png
		filesMode: add replace
		format: customPrint mailMerge pdf xhtml xlsx
		format: mailMerge xlsx
		getBy: match recordId
		inputMode: fields json
		lockAction: lock unlock
		missingFile: error skip
		onConflict: error overwrite
		onMultipleMatches: all error first
		onMultipleMatches: all error updateFirst
		onMultipleMatches: error updateAll updateFirst
		operator: empty eq eqeq gt gte in like lt lte ne notEmpty regex
		output: fields raw simplified
		passOn: existing missing
		resource: actionButton comment document file lock massOperation record sheet subtableRow task
		rowsMode: append replace upsert
		selection: filters inputItems recordIds
		unknownChoices: error warn
		unknownFields: error ignore
		uploadMode: add replace
		upsertMode: createOnly createOrUpdate updateOnly
		userSheet: external internal none
	`,
	sheetRecordsTrigger: `
		authentication: apiKey session
		events: CREATE DELETE UPDATE
		fieldKeys: id name
		operator: empty eq eqeq gt gte in like lt lte ne notEmpty regex
		output: event record
		publicKeySource: pem service
		registration: automatic manual
		verification: ifPresent off require
	`,
	sheetRecordsPollingTrigger: `
		authentication: apiKey session
		events: CREATE DELETE UPDATE
		fieldKeys: id name
		operator: empty eq eqeq gt gte in like lt lte ne notEmpty regex
		output: event record
		startFrom: all date now
	`,
};

const words = (text = '') => text.split(' ').filter(Boolean).sort();
const linesIn = (text = '') => text.trim().split(/\s*\n\s*/);
const namesOf = (listed: ReadonlyArray<{ name: string }>) =>
	[...new Set(listed.map(({ name }) => name))].sort();

async function propertiesOf(node: string): Promise<INodeProperties[]> {
	const types = await packageTypes();
	const { properties } = types.getByNameAndVersion(`${packageName}.${node}`).description;
	return properties.filter(({ type }) => type !== 'notice');
}

it('each operation has the parameters and options of saved workflows', async () => {
	const properties = await propertiesOf('sheetRecords');
	const found = new Map<string, [string[], string[]]>();
	for (const { resource, operation } of await offeredOperations()) {
		const shown = properties.filter(({ displayOptions: { show } = {} }) => {
			const isOfResource = show?.resource?.includes(resource.value) === true;
			return isOfResource && show?.operation?.includes(operation.value) === true;
		});
		const options = shown.flatMap(({ type, options = [] }) =>
			type === 'collection' ? options : [],
		);
		const parameters = shown.filter(({ type }) => type !== 'collection');
		found.set(`${resource.value}.${operation.value}`, [namesOf(parameters), namesOf(options)]);
	}
	const expected = Object.entries(operations).map(([name, [parameters, options]]) => {
		return [name, [words(parameters), words(options)]];
	});
	expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
});

it.each([
	[
		'sheetRecordsTrigger',
		'authentication events filters publicKeyPem publicKeySource registration sheet verification watchFields',
		'downloadFiles fetchRecord fieldKeys output simplify skipRepeats skipUnchanged',
	],
	[
		'sheetRecordsPollingTrigger',
		'authentication events filters pollTimes sheet simplify startDate startFrom watchFields',
		`${typing} deletionCheckEvery downloadFiles ignoreFixedFilter ignoreMask isoDates onlyFields output sharedViewId subtables timeZone version`,
	],
])('%s has the parameters and options of saved workflows', async (node, parameters, options) => {
	const all = await propertiesOf(node);
	const inner = all.flatMap(({ type, options = [] }) => (type === 'collection' ? options : []));
	expect(namesOf(all.filter(({ type }) => type !== 'collection'))).toEqual(words(parameters));
	expect(namesOf(inner)).toEqual(words(options));
});

/** Returns a property with those in its collections. */
function withInner(property: INodeProperties): INodeProperties[] {
	const inner = (property.options ?? []).flatMap((option) => {
		if ('type' in option) return withInner(option);
		return 'values' in option ? option.values.flatMap(withInner) : [];
	});
	return [property, ...inner];
}

it.each(['sheetRecords', 'sheetRecordsTrigger', 'sheetRecordsPollingTrigger'])(
	'each choice has the values of saved workflows: %s',
	async (node) => {
		const own = (await propertiesOf(node)).filter(
			({ name }) => !['operation', 'pollTimes'].includes(name),
		);
		const found = new Set<string>();
		for (const { name, options = [] } of own.flatMap(withInner)) {
			const values = options.flatMap((option) => ('value' in option ? [String(option.value)] : []));
			if (values.length > 0 && name !== 'operation')
				found.add(`${name}: ${values.sort().join(' ')}`);
		}
		expect([...found].sort()).toEqual(linesIn(choices[node]));
	},
);
