import { createServer, type Server } from 'node:http';

/** What n8n's agent sends to a chat model, as far as the script looks at it. */
export interface ModelRequest {
	stream?: boolean;
	messages: Array<{ role: string; content: unknown }>;
	tools?: Array<{ function: { name: string; description: string; parameters: object } }>;
}

/** A call that the model makes of one of its tools. */
export interface ToolCall {
	/** The tool's name; the first one that is offered when not given. */
	tool?: string;
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
					? { role: 'assistant', content: null, tool_calls: [written(next, results, asked)] }
					: { role: 'assistant', content: lastWords };
				const reason = next ? 'tool_calls' : 'stop';
				response.setHeader('content-type', asked.stream ? 'text/event-stream' : 'application/json');
				response.end(asked.stream ? streamed(message, reason) : whole(message, reason));
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

function written(call: ToolCall, place: number, { tools = [] }: ModelRequest) {
	const name = call.tool ?? tools[0]?.function.name ?? 'none';
	return {
		index: 0,
		id: `call_${place + 1}`,
		type: 'function',
		function: { name, arguments: JSON.stringify(call.arguments) },
	};
}

const common = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'scripted' };

function whole(message: object, finishReason: string): string {
	return JSON.stringify({
		...common,
		object: 'chat.completion',
		choices: [{ index: 0, message, finish_reason: finishReason }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	});
}

function streamed(message: object, finishReason: string): string {
	const chunk = (delta: object, finish_reason: string | null) =>
		`data: ${JSON.stringify({
			...common,
			object: 'chat.completion.chunk',
			choices: [{ index: 0, delta, finish_reason }],
		})}\n\n`;
	return `${chunk(message, null)}${chunk({}, finishReason)}data: [DONE]\n\n`;
}
