/** Returns the value of a JSON text in n8n's static data; undefined if it is missing or not JSON. The caller must validate it. */
export function storedJson(text: unknown): unknown {
	try {
		const value: unknown = JSON.parse(String(text));
		return value;
	} catch {
		return undefined;
	}
}
