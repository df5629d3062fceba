import ts from 'typescript';
import { SheetRecordsApi } from '../../../credentials/SheetRecordsApi.credentials';
import { SheetRecordsSessionApi } from '../../../credentials/SheetRecordsSessionApi.credentials';
import { SheetRecords } from '../../../nodes/SheetRecords/SheetRecords.node';
import { SheetRecordsPollingTrigger } from '../../../nodes/SheetRecordsPollingTrigger/SheetRecordsPollingTrigger.node';
import { SheetRecordsTrigger } from '../../../nodes/SheetRecordsTrigger/SheetRecordsTrigger.node';
import { partsOfNodes } from '../../nodeSources';

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

type TextPart = ts.StringLiteralLike | ts.TemplateHead | ts.TemplateMiddle | ts.TemplateTail;

const isTextPart = (node: ts.Node): node is TextPart =>
	ts.isStringLiteralLike(node) ||
	ts.isTemplateHead(node) ||
	ts.isTemplateMiddle(node) ||
	ts.isTemplateTail(node);

/** Words in quotation marks in the texts of the sources, with the path of their file. They begin with a capital letter. */
const quotedWords = partsOfNodes(isTextPart).flatMap(({ path, node }) =>
	[...node.text.matchAll(/'([A-Z][\w()/ ]+)'/g)].map(([, words = '']) => ({ path, words })),
);

it('the advice of an error quotes existing labels', () => {
	const labels = new Set(labelsIn(descriptions, true));
	const quoted = quotedWords.filter(({ path }) => path === 'shared/nodeError.ts');
	expect(quoted.length).toBeGreaterThan(20);
	expect(quoted.filter(({ words }) => !labels.has(words))).toEqual([]);
});

it('the API library quotes no labels of the editor', () => {
	const labels = new Set(labelsIn(descriptions, false));
	const quoting = quotedWords.filter(
		({ path, words }) => path.startsWith('api/') && labels.has(words),
	);
	expect(quoting).toEqual([]);
});
