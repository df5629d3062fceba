import type { SeenRequest } from '../../service';

/**
 * Returns the query parameters of a request, parsed from the raw request line according to RFC 3986. Throws for an invalid
 * percent escape and for invalid UTF-8.
 */
export function rawParameters({ rawUrl }: SeenRequest): Array<[name: string, value?: string]> {
	return rawParts(rawUrl).map(([name, value]) =>
		value === undefined
			? [decodeURIComponent(name)]
			: [decodeURIComponent(name), decodeURIComponent(value)],
	);
}

/** Returns the value of the only parameter with this name; undefined if there is no such parameter. */
export function rawParameter(request: SeenRequest, name: string): string | undefined {
	const values = rawParameters(request).filter(([key]) => key === name);
	if (values.length > 1)
		throw new Error(`${name} comes ${values.length} times in ${request.rawUrl}`);
	return values[0]?.[1];
}

/**
 * Returns the value of the only `where` parameter (specification, filter rules 4 and 5). Its three parts are separated by
 * unencoded commas, and a value that looks encoded after decoding was encoded twice.
 */
export function whereValue({ rawUrl }: SeenRequest): string | undefined {
	const conditions = rawParts(rawUrl).filter(([name]) => name === 'where');
	if (conditions.length === 0) return undefined;
	const parts = (conditions[0]?.[1] ?? '').split(',');
	if (conditions.length > 1 || parts.length !== 3) throw new Error(`Not one condition: ${rawUrl}`);
	const once = decodeURIComponent(parts[2] ?? '');
	return /%[0-9a-f]{2}/i.test(once) ? decodeURIComponent(once) : once;
}

function rawParts(rawUrl: string): Array<[name: string, value?: string]> {
	const [, query = '', ...furtherParts] = rawUrl.split('?');
	// RFC 3986 allows a question mark in a query, but the nodes always encode it.
	if (furtherParts.length > 0) throw new Error(`More than one question mark: ${rawUrl}`);
	return query.split('&').map((part) => {
		const [name = '', value, ...rest] = part.split('=');
		if (rest.length > 0) throw new Error(`More than one equals sign: ${part}`);
		return value === undefined ? [name] : [name, value];
	});
}
