import { createServer, type Server } from 'node:http';

/** What n8n's agent sends to a chat model, as far as the script looks at it. */
export interface ModelRequest {
	messages: Array<{ role: string; content: unknown }>;
}

/** A call that the model makes of one of its tools. */
export interface ToolCall {
	tool: string;
	arguments: object;
}

/** A chat model that follows a script: calls, each after the result of the one before, then last words. */
export class ScriptedModel {
	readonly requests: ModelRequest[] = [];

	private constructor(private readonly server: Server) {}

	static async start(calls: readonly ToolCall[], lastWords: string): Promise<ScriptedModel> {
		const server = createServer((request, response) => {
			let text = '';
			request.setEncoding('utf8').on('data', (part: string) => (text += part));
			request.on('end', () => {
				const asked: ModelRequest = JSON.parse(text);
				model.requests.push(asked);
				const results = asked.messages.filter(({ role }) => role === 'tool').length;
				const next = calls[results];
				const message = next
					? { role: 'assistant', content: null, tool_calls: [written(next, results)] }
					: { role: 'assistant', content: lastWords };
				const reason = next ? 'tool_calls' : 'stop';
				response.setHeader('content-type', 'application/json');
				response.end(completion(message, reason));
			});
		});
		const model = new ScriptedModel(server);
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		return model;
	}

	get url(): string {
		const address = this.server.address();
		if (address === null || typeof address === 'string') throw new Error('It does not listen');
		return `http://127.0.0.1:${address.port}/v1`;
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}
}

function written({ tool: name, arguments: values }: ToolCall, place: number) {
	const call = { name, arguments: JSON.stringify(values) };
	return { index: 0, id: `call_${place + 1}`, type: 'function', function: call };
}

function completion(message: object, finishReason: string): string {
	return JSON.stringify({
		id: 'chatcmpl-1',
		created: 1_700_000_000,
		model: 'scripted',
		object: 'chat.completion',
		choices: [{ index: 0, message, finish_reason: finishReason }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	});
}
