import { Readable } from 'node:stream';
import type {
	IExecuteFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
	INodeType,
} from 'n8n-workflow';
import { packageTypes, type InputItem } from '../engine/runner';
import { nodeType } from '../engine/runner/builtIn';
import { form, formHeaders, uploadTarget } from './form';
import { inputOf, runInEngine } from './inEngine';
import { replay, warmUpOf } from './replay';
import type { Prepared, ScriptedRequest, Task } from './task';

const credentialType = 'sheetRecordsApi';
const megabyte = 1024 * 1024;

/** Prepares a plain loop over n8n's HTTP helper in n8n's engine. It measures the cost of the engine. */
export async function prepareHelper(task: Task): Promise<Prepared> {
	const amount = task.work === 'upload' ? megabyte : 1;
	await run({ ...warmUpOf(task), amount }, await inputOf(task, amount));
	const items = await inputOf(task, task.amount);
	return { run: async () => await run(task, items) };
}

async function run(task: Task, items: InputItem[]): Promise<number> {
	const types = (await packageTypes()).with({ nodes: { 'bench.loop': loopOf(task) } });
	return await runInEngine(task, { node: 'bench.loop', parameters: {}, items, types });
}

/** Returns a node that only sends the requests of the task. */
function loopOf(task: Task): INodeType {
	return nodeType(
		'Loop',
		async function (this: IExecuteFunctions) {
			if (task.work === 'download') return [[await download(this, task)]];
			if (task.work === 'upload') return [[await upload(this, task)]];
			const results = await replay(task, async (request) => await send(this, task, request));
			return [results.map((json) => ({ json }))];
		},
		{ credentials: [{ name: credentialType, required: true }] },
	);
}

async function send(
	context: IExecuteFunctions,
	{ baseUrl }: Task,
	{ method, address, body }: ScriptedRequest,
): Promise<string> {
	const answer = await ask(context, {
		method: method === 'POST' ? 'POST' : 'GET',
		url: `${baseUrl}${address}`,
		body,
		headers: body === undefined ? {} : { 'content-type': 'application/json' },
		encoding: 'text',
	});
	return String(answer);
}

async function download(
	context: IExecuteFunctions,
	{ baseUrl, account, largeFile }: Task,
): Promise<INodeExecutionData> {
	const url = `${baseUrl}/sims/file.jsp?a=${account}&f=${encodeURIComponent(largeFile)}`;
	const stream = await ask(context, { url, encoding: 'stream' });
	if (!(stream instanceof Readable)) throw new Error('No stream came');
	const data = await context.helpers.prepareBinaryData(
		stream,
		'large.bin',
		'application/octet-stream',
	);
	return { json: {}, binary: { data } };
}

async function upload(
	context: IExecuteFunctions,
	{ baseUrl, account, sheetPath, amount }: Task,
): Promise<INodeExecutionData> {
	const { id } = context.helpers.assertBinaryData(0, 'data');
	if (id === undefined) throw new Error('The file is not on disk');
	const file = await context.helpers.getBinaryStream(id);
	const answer = await ask(context, {
		method: 'POST',
		url: `${baseUrl}/${account}/${sheetPath}/${uploadTarget.recordId}?api`,
		body: Readable.from(form(file)),
		headers: formHeaders(amount),
		encoding: 'text',
		// Following redirects would keep the whole body in memory.
		disableFollowRedirect: true,
	});
	if (!String(answer).includes('SUCCESS')) throw new Error(String(answer));
	return { json: {} };
}

async function ask(context: IExecuteFunctions, options: IHttpRequestOptions): Promise<unknown> {
	const { httpRequestWithAuthentication } = context.helpers;
	return await httpRequestWithAuthentication.call(context, credentialType, options);
}
