/** One `name=value` of a query. */
export interface QueryParameter {
	readonly name: string;
	readonly value: string;
	/** The value with its percent-encoding: filters tell `,` from `%2C`. */
	readonly rawValue: string;
}

/** The query of a request address. */
export class Query {
	readonly parameters: QueryParameter[];

	constructor(rawUrl: string) {
		const start = rawUrl.indexOf('?');
		const text = start < 0 ? '' : rawUrl.slice(start + 1);
		this.parameters = text.split('&').filter(Boolean).map(readParameter);
	}

	has(name: string): boolean {
		return this.parameters.some((parameter) => parameter.name === name);
	}

	first(name: string): string | undefined {
		return this.parameters.find((parameter) => parameter.name === name)?.value;
	}

	all(name: string): string[] {
		return this.named(name).map(({ value }) => value);
	}

	named(name: string): QueryParameter[] {
		return this.parameters.filter((parameter) => parameter.name === name);
	}

	/** A flag takes `true`; some descriptions also accept `1` (specification, "Endpoints"). */
	flag(name: string): boolean {
		const value = this.first(name);
		return value === 'true' || value === '1';
	}
}

function readParameter(text: string): QueryParameter {
	const separator = text.indexOf('=');
	const rawName = separator < 0 ? text : text.slice(0, separator);
	const rawValue = separator < 0 ? '' : text.slice(separator + 1);
	return { name: decodeQueryText(rawName), value: decodeQueryText(rawValue), rawValue };
}

/** Decodes a query or form text: `+` is a space there. */
export function decodeQueryText(text: string): string {
	return decodePercent(text.replaceAll('+', ' '));
}

/** Decodes percent-encoding and leaves alone what is none. */
export function decodePercent(text: string): string {
	return text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) =>
		Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'),
	);
}
