/** Returns the value of a JSON text in n8n's static data; undefined if it is no JSON. The caller validates it. */
export function storedJson(text: unknown): unknown {
	try {
		const value: unknown = JSON.parse(String(text));
		return value;
	} catch {
		return undefined;
	}
}
