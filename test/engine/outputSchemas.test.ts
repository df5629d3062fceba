import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv, { type ValidateFunction } from 'ajv';
import { jsonParse, type IDataObject } from 'n8n-workflow';
import { operations } from './faults/matrix';
import type { OperationCase } from './faults/operation';
import { onOrders, useRecordTestbed } from './recordTestbed';

/** Schemas that the editor shows before the first run of an operation, compared with the real output. */
const testbed = useRecordTestbed({ demoRecords: 60 });

const folder = join(__dirname, '../../nodes/SheetRecords/__schema__/v1.0.0');
const ajv = new Ajv({ strict: false });

interface OutputSchema {
	type: string;
	properties: Record<string, object>;
}

/** A sheet with subtable fields and choices. */
const withSubtables: OperationCase = {
	operation: 'sheet.getFields',
	parameters: { resource: 'sheet', ...onOrders('getFields') },
	requests: [],
	prepare: ({ switches }) => {
		switches.schemaChoices = true;
	},
	changesInAll: 0,
	itemsOf: () => [],
};
/** Operations with an answer that contains all counts of a task. */
const withCounts = operations
	.filter(({ operation }) => /^(?:massOperation|task)\./.test(operation))
	.map((operation): OperationCase => {
		const prepare: OperationCase['prepare'] = (service) => {
			service.switches.taskShape = 'counts';
			operation.prepare?.(service);
		};
		return { ...operation, prepare };
	});
/** Writes that return a task, a message, or a record as saved. Other tests cover their warnings. */
const hasOtherAnswer =
	/^(?:massOperation|sheet|file|trigger|subtableRow\.(?:add|update)$|record\.(?:create|duplicate|update|upsert)$)/;
/** Writes whose success comes with words of the service, which are in `_warning`. */
const withWords = operations
	.filter(({ operation, changesInAll }) => changesInAll > 0 && !hasOtherAnswer.test(operation))
	.map((operation): OperationCase => {
		const prepare: OperationCase['prepare'] = (service) => {
			operation.prepare?.(service);
			service.switches.writeWarning = 'The unit price is low.';
			service.switches.buttonStatus = 'WARN';
			if (/^(?:comment|actionButton)/.test(operation.operation)) return;
			const body = '{"status":"SUCCESS","msg":"The unit price is low."}';
			const when = ({ method }: { method: string }) => method !== 'GET';
			service.faults.inject({ kind: 'body', body, when, afterWork: true });
		};
		return { ...operation, prepare };
	});
/** A download of two files, of which one does not exist. */
const withMissingFile = operations
	.filter(({ operation }) => operation === 'file.download')
	.map((operation): OperationCase => {
		const fileValue = '={{ [$json.contract, "gone@old.pdf"] }}';
		return { ...operation, parameters: { ...operation.parameters, fileValue } };
	});
/** A schema describes the default output. A preview returns records in place of tasks. */
const isNoPreview = ({ variant }: OperationCase) => !variant?.startsWith('with Preview');
const cases = [
	...[...operations, withSubtables, ...withCounts].filter(isNoPreview),
	...[...withWords, ...withMissingFile],
];

const names = [...new Set(operations.map(({ operation }) => operation))].filter(
	(name) => !name.startsWith('trigger.'),
);

/** Returns whether the keys also contain fields of the sheet. */
const holdsFields = (name: string) =>
	name !== 'record.count' && /^(record|subtableRow|file\.upload)/.test(name);

function schemaOf(name: string): OutputSchema {
	const path = join(folder, `${name.replace('.', '/')}.json`);
	if (!existsSync(path)) {
		throw new Error(`There is no ${path}: describe the output of ${name} (HOW_TO, step 4)`);
	}
	return jsonParse<OutputSchema>(readFileSync(path, 'utf8'));
}

async function outputOf(operation: OperationCase): Promise<IDataObject[]> {
	testbed.service.reset();
	operation.prepare?.(testbed.service);
	// Run as the user with the most permissions.
	const identity = operation.identity ?? 'admin';
	const found = (await operation.items?.(testbed.service)) ?? [{ json: {} }];
	const items = found.map((item) => ({ ...item, json: { ...item.json, patience: 20 } }));
	const parameters = { ...operation.parameters, authentication: 'apiKey' };
	const { items: made, error } = await testbed.runById(parameters, items, testbed.as(identity));
	expect(error).toBeUndefined();
	return made.map(({ json }) => json);
}

/** Returns an item without null, which the editor's schemas cannot describe. */
function withoutNulls(json: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(json).filter(([, value]) => value !== null));
}

function complaints(check: ValidateFunction, json: IDataObject): unknown {
	return check(withoutNulls(json)) ? [] : check.errors;
}

it.each(names)('the output of %s conforms to its schema', async (name) => {
	const schema = schemaOf(name);
	const check = ajv.compile({ type: schema.type, properties: schema.properties });
	const outputs: IDataObject[] = [];
	for (const operation of cases.filter((candidate) => candidate.operation === name)) {
		outputs.push(...(await outputOf(operation)));
	}

	expect(outputs.length).toBeGreaterThan(0);
	for (const json of outputs) expect(complaints(check, json)).toEqual([]);
	const keys = new Set(outputs.flatMap((json) => Object.keys(json)));
	const named = Object.keys(schema.properties);
	// The schema lists exactly the keys of the output, except for fields of the sheet.
	expect(named.filter((key) => !keys.has(key))).toEqual([]);
	const fixed = [...keys].filter((key) => !holdsFields(name) || /^_(?!subtable)/.test(key));
	expect(fixed.filter((key) => !named.includes(key))).toEqual([]);
});

it.each([...new Set(withWords.map(({ operation }) => operation))])(
	'words of the service beside the success of %s are in _warning (HOW_TO, step 3)',
	async (name) => {
		for (const operation of withWords.filter((candidate) => candidate.operation === name)) {
			const warnings = (await outputOf(operation)).map(({ _warning }) => _warning);
			expect(warnings).toContainEqual(
				expect.stringMatching(/The unit price is low|warning without words/),
			);
		}
	},
);
