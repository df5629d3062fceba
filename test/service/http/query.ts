import type { Call } from '../call';
import { ServiceError } from './serviceError';

export interface QueryParameter {
	readonly name: string;
	readonly value: string;
	/** The percent-encoded value. Filters distinguish `,` from `%2C`. */
	readonly rawValue: string;
}

export class Query {
	readonly parameters: QueryParameter[];

	constructor(rawUrl: string) {
		const start = rawUrl.indexOf('?');
		const text = start < 0 ? '' : rawUrl.slice(start + 1);
		this.parameters = text.split('&').filter(Boolean).map(readParameter);
	}

	add(fields: ReadonlyArray<readonly [name: string, value: string]>): void {
		for (const [name, value] of fields) this.parameters.push({ name, value, rawValue: value });
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

	/** Returns whether a flag is `true`. Some descriptions also accept `1` (specification, "Endpoints"). */
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

/** Decodes a query or form text, in which `+` is a space. */
export function decodeQueryText(text: string): string {
	return decodePercent(text.replaceAll('+', ' '));
}

/** Decodes percent-encoding. Leaves invalid sequences unchanged. */
export function decodePercent(text: string): string {
	return text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) =>
		Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'),
	);
}

/** Parameters of any request. The vendor's own clients send additional ones, which a switch allows. */
const common = ['api', 'APIKey', 'sid', 'login_type', 'version', 'v', 'callback'];
const ofVendor = ['n8n', 'singleEntryMode'];
/** Parameters of mobile apps and a portal, which a switch allows. */
const ofApps = ['mobile', 'fr', 'kr', 'approvalInfo', 'comment'];

/** Parameters of a record (specification, endpoint 2). `fetchDomainIds` is not in the specification. */
export const recordParameters: readonly string[] = [
	...['tz', 'naming', 'subtables', 'info', 'conversation', 'approval', 'comment', 'bbcode'],
	...['history', 'ignoreMask', 'fetchDomainIds'],
];

/** Parameters of a list (endpoint 1), and `def`, which requests the definition instead. */
export const listParameters: readonly string[] = [
	...recordParameters,
	...['where', 'fts', 'filterId', 'defaultFilter', 'limit', 'offset', 'order', 'reverse'],
	...['listing', 'ignoreFixedFilter', 'taskId', 'def'],
];

/** Query parameters of a write (endpoint 6). */
export const writeParameters: readonly string[] = [
	...['tz', 'info', 'html'],
	...['doFormula', 'doDefaultValue', 'doLinkLoad', 'doWorkflow', 'doValidation'],
	...['notification', 'checkLock'],
];

/** Parameters that a form or a JSON body may contain beside fields, if a switch allows it. */
export const bodyParameters: ReadonlySet<string> = new Set([...common, ...writeParameters]);

export function otherParameters(
	{ query, state, method }: Call,
	knownParameters: readonly string[],
): QueryParameter[] {
	const { appParameters, vendorParameters, writeNaming } = state.switches;
	const known = [...common, ...knownParameters];
	if (vendorParameters === 'known') known.push(...ofVendor);
	if (appParameters === 'known') known.push(...ofApps);
	if (method !== 'GET' && writeNaming === 'known') known.push('naming');
	return query.parameters.filter(({ name }) => !known.includes(name));
}

/** Ignores unknown parameters of a read, or rejects them as one team has seen it. */
export function checkReadParameters(call: Call, knownParameters: readonly string[]): void {
	if (call.state.switches.unknownReadParameter === 'ignored') return;
	const [unknown] = otherParameters(call, knownParameters);
	if (unknown) throw new ServiceError('invalidPath', `Invalid path: ${unknown.name}`);
}

/**
 * Rejects unknown parameters of a write. The specification does not mention them. The deployed service takes an unknown
 * parameter of a POST for a field and rejects the request.
 *
 * @throws ServiceError of code 201
 */
export function demandPostParameters(call: Call, ...knownParameters: readonly string[]): void {
	const [unknownName] = otherParameters(call, knownParameters);
	if (unknownName) throw unknownField(unknownName.name);
}

export function unknownField(name: string): ServiceError {
	return new ServiceError('parameters', `Error processing parameter: ${name}`);
}
