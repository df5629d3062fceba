import { createServer, type Server } from 'node:http';

/** A request of n8n's agent to a chat model, with only the properties used here. */
export interface ModelRequest {
	messages: Array<{ role: string; content: unknown }>;
}

/** A tool call of the model. */
export interface ToolCall {
	tool: string;
	arguments: object;
}

/** A chat model that follows a script: it makes the tool calls in sequence, then sends a final text. */
export class ScriptedModel {
	readonly requests: ModelRequest[] = [];

	private constructor(private readonly server: Server) {}

	static async start(calls: readonly ToolCall[], finalText: string): Promise<ScriptedModel> {
		const server = createServer((request, response) => {
			let text = '';
			request.setEncoding('utf8').on('data', (part: string) => (text += part));
			request.on('end', () => {
				const modelRequest: ModelRequest = JSON.parse(text);
				model.requests.push(modelRequest);
				const results = modelRequest.messages.filter(({ role }) => role === 'tool').length;
				const next = calls[results];
				const message = next
					? { role: 'assistant', content: null, tool_calls: [written(next, results)] }
					: { role: 'assistant', content: finalText };
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

function written({ tool: name, arguments: values }: ToolCall, index: number) {
	const call = { name, arguments: JSON.stringify(values) };
	return { index: 0, id: `call_${index + 1}`, type: 'function', function: call };
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
