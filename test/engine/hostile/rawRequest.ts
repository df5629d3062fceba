import type { SeenRequest } from '../../service';

/**
 * The parameters of a request's query, read off the text from the socket by the rules of RFC 3986 alone.
 * A percent sign that begins no escape, and bytes that are no UTF-8, throw.
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
 * The value of the only `where` parameter (specification, filter rules 4 and 5): its three parts have
 * bare commas between them, and what looks encoded after decoding has been encoded twice.
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
	const [, query = '', ...more] = rawUrl.split('?');
	// A question mark in a query would be allowed, but nothing here has a reason to leave one bare.
	if (more.length > 0) throw new Error(`More than one question mark: ${rawUrl}`);
	return query.split('&').map((part) => {
		const [name = '', value, ...rest] = part.split('=');
		if (rest.length > 0) throw new Error(`More than one equals sign: ${part}`);
		return value === undefined ? [name] : [name, value];
	});
}
