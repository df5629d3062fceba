import {
	NodeConnectionTypes,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeParameters,
} from 'n8n-workflow';
import type { SeenRequest } from '../service';
import { onOrder, useRecordTestbed } from './recordTestbed';
import { retrying } from './retryOnFail/retrying';
import { CredentialStore, packageName, packageTypes, runWorkflow } from './runner';
import { nodeType } from './runner/builtIn';

/** Calls of the node as a tool that n8n passes to another node: MCP Server Trigger, an older agent, or an agent that is a tool itself. */
const testbed = useRecordTestbed({ demoRecords: 20 });

interface Tool {
	invoke(toolArguments: IDataObject): Promise<string>;
}

/** Returns the answers to calls that the parent node makes at the same time: the text for its model, or the message of the error. */
async function answersTo(
	calls: IDataObject[],
	parameters: INodeParameters,
	settings: Partial<INode> = {},
): Promise<string[]> {
	const answers: string[] = [];
	const parent = nodeType(
		'Parent',
		async function (this: IExecuteFunctions) {
			const tools: unknown = await this.getInputConnectionData(NodeConnectionTypes.AiTool, 0);
			const [tool]: Tool[] = Array.isArray(tools) ? tools : [];
			const answer = async (call: IDataObject) =>
				await tool?.invoke(call).catch(({ message }: Error) => message);
			answers.push(...(await Promise.all(calls.map(answer))).map(String));
			return [[{ json: {} }]];
		},
		{ inputs: [NodeConnectionTypes.Main, NodeConnectionTypes.AiTool] },
	);
	const name = `${packageName}.sheetRecords`;
	const types = await packageTypes();
	const type = types.getByNameAndVersion(name);
	// n8n creates the tool of a node in the same way.
	const outputs = [NodeConnectionTypes.AiTool];
	const description = { ...type.description, name: 'sheetRecordsTool', inputs: [], outputs };
	const tool = Object.assign(Object.create(type), { description });
	const credentialStore = new CredentialStore();
	const { sheetRecordsApi } = testbed.credentials();
	const credentials = { sheetRecordsApi: credentialStore.add('sheetRecordsApi', sheetRecordsApi) };
	const node = (id: string, typeName: string): INode => {
		return { id, name: id, type: typeName, typeVersion: 1, position: [0, 0], parameters: {} };
	};
	const main = [[{ node: 'Parent', type: NodeConnectionTypes.Main, index: 0 }]];
	const ai_tool = [[{ node: 'Parent', type: NodeConnectionTypes.AiTool, index: 0 }]];
	const result = await runWorkflow(
		{
			nodes: [
				node('Start', 'n8n-nodes-base.manualTrigger'),
				node('Parent', 'test.parent'),
				{
					...{ ...node('Records', `${name}Tool`), credentials, ...settings },
					parameters: { resource: 'record', ...parameters },
				},
			],
			connections: { Start: { main }, Records: { ai_tool } },
		},
		{
			credentialStore,
			types: types.with({ nodes: { [`${name}Tool`]: tool, 'test.parent': parent } }),
		},
	);
	testbed.expectNoSecrets(result);
	expect(result.error).toBeUndefined();
	return answers;
}

const comment = {
	...{ resource: 'comment', ...onOrder('add', "={{ $fromAI('id', '', 'number') }}") },
	comment: "={{ $fromAI('text') }}",
};
const commentsOf = (id: number) => testbed.order(id).comments.map(({ text }) => text);
const isWrite = ({ method }: SeenRequest) => method !== 'GET';

it('each of two calls with equal arguments is carried out', async () => {
	const call = { id: 3, text: 'Called.' };
	const before = commentsOf(3);
	const answers = await answersTo([call, { ...call }], comment, retrying);
	expect(answers).toEqual(Array(2).fill(expect.stringContaining('"comment":"Called."')));
	expect(commentsOf(3)).toEqual([...before, 'Called.', 'Called.']);
});

it('a call whose outcome is unknown is not carried out again by Retry On Fail', async () => {
	const before = commentsOf(4);
	testbed.inject({ kind: 'resetAfterWork', when: isWrite });
	const answers = await answersTo([{ id: 4, text: 'Once.' }], comment, retrying);
	// n8n would answer "You can retry the request immediately" to an error with the code ECONNRESET.
	expect(answers).toEqual([expect.stringMatching(/^(?!.*retry).*unknown whether.*ECONNRESET/s)]);
	expect(commentsOf(4)).toEqual([...before, 'Once.']);
});

it('a call that was refused is carried out by the next attempt', async () => {
	const before = commentsOf(5);
	testbed.refuse(isWrite);
	const answers = await answersTo([{ id: 5, text: 'Again.' }], comment, retrying);
	expect(answers).toEqual([expect.stringContaining('"comment":"Again."')]);
	expect(commentsOf(5)).toEqual([...before, 'Again.']);
});

it('the error of a call has the advice once, and does not end other calls', async () => {
	const get = { ...onOrder('get', "={{ $fromAI('id', '', 'number') }}"), output: 'simplified' };
	const answers = await answersTo([{ id: 999 }, { id: 6 }], get);
	const text =
		'There is no record 999 on this sheet. Check the record ID and the sheet. To continue';
	expect(answers).toEqual([
		expect.stringContaining(text),
		expect.stringContaining('"_recordId":6'),
	]);
	expect(answers[0]?.match(/Check the record ID/g)).toHaveLength(1);
});
