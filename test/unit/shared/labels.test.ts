import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SheetRecordsApi } from '../../../credentials/SheetRecordsApi.credentials';
import { SheetRecordsSessionApi } from '../../../credentials/SheetRecordsSessionApi.credentials';
import { SheetRecords } from '../../../nodes/SheetRecords/SheetRecords.node';
import { SheetRecordsPollingTrigger } from '../../../nodes/SheetRecordsPollingTrigger/SheetRecordsPollingTrigger.node';
import { SheetRecordsTrigger } from '../../../nodes/SheetRecordsTrigger/SheetRecordsTrigger.node';

const root = join(__dirname, '../../..');
const nodes = [SheetRecords, SheetRecordsTrigger, SheetRecordsPollingTrigger];
const descriptions = [
	...nodes.map((Node) => new Node().description),
	new SheetRecordsApi(),
	new SheetRecordsSessionApi(),
];

/** Returns the labels of parameters in the editor, optionally with the labels of their choices. */
function labelsIn(value: unknown, withChoices: boolean): string[] {
	if (typeof value !== 'object' || value === null) return [];
	const { displayName, name, value: choice } = value as Record<string, unknown>;
	const label = displayName ?? (withChoices && choice !== undefined ? name : undefined);
	return [
		...(typeof label === 'string' ? [label] : []),
		...Object.values(value).flatMap((inner) => labelsIn(inner, withChoices)),
	];
}

const texts = (path: string) => readFileSync(join(root, path), 'utf8');

it('the advice of an error quotes existing labels', () => {
	const labels = new Set(labelsIn(descriptions, true));
	const quoted = [...texts('nodes/shared/nodeError.ts').matchAll(/'([A-Z][\w()/ ]+)'/g)];
	expect(quoted.map(([, label = '']) => label).filter((label) => !labels.has(label))).toEqual([]);
});

it('the API library quotes no labels of the editor', () => {
	const labels = new Set(labelsIn(descriptions, false));
	const files = readdirSync(join(root, 'nodes/api'), { recursive: true, encoding: 'utf8' })
		.filter((path) => path.endsWith('.ts'))
		.map((path) => `nodes/api/${path}`);
	const quoting = files.flatMap((path) =>
		[...texts(path).matchAll(/["`][^"`\n]*'([A-Z][\w()/ ]+)'[^"`\n]*["`]/g)]
			.filter(([, label = '']) => labels.has(label))
			.map(([, label]) => `${path}: ${label}`),
	);
	expect(quoting).toEqual([]);
});
