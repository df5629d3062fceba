type Form = (text: string) => string;

/** Ways of writing a text with escapes. */
export const escapings = {
	'in a query': encodeURIComponent,
	'in a query with plus signs': (text) => new URLSearchParams([['', text]]).toString().slice(1),
	'in a strictly encoded query': strictlyEncoded,
	'in lower-case percent signs': (text) => strictlyEncoded(text).replace(/%../g, lowerCase),
	'in JSON': jsonText,
	'in JSON with escaped slashes': (text) => jsonText(text).replace(/\//g, '\\/'),
	'in JSON with every unit escaped': (text) =>
		everyCharacter(text.split(''), (code) => `\\u${code.toString(16).padStart(4, '0')}`),
	'in a page': escapedHtml,
	'in a page, by numbers': (text) => everyCharacter([...text], (code) => `&#${code};`),
	'in a page, by other numbers': (text) =>
		everyCharacter([...text], (code) => `&#x${code.toString(16)};`),
} satisfies Record<string, Form>;

/** The forms in which a secret may stand in what a service says, besides parts of it. */
export const secretForms: Readonly<Record<string, Form>> = {
	'as it is': (secret) => secret,
	...escapings,
	'in base64': (secret) => Buffer.from(secret).toString('base64'),
	'in base64 without padding': (secret) => Buffer.from(secret).toString('base64url'),
	'in base64 behind a name': (secret) => Buffer.from(`u:${secret}`).toString('base64'),
	'in hex': (secret) => Buffer.from(secret).toString('hex'),
	'in hex, byte by byte': (secret) =>
		(Buffer.from(secret).toString('hex').match(/../g) ?? []).join(' '),
};

function lowerCase(text: string): string {
	return text.toLowerCase();
}

function jsonText(text: string): string {
	return JSON.stringify(text).slice(1, -1);
}

function everyCharacter(characters: readonly string[], write: (code: number) => string): string {
	return characters.map((character) => write(character.codePointAt(0) ?? 0)).join('');
}

function escapedHtml(text: string): string {
	const entities = new Map([
		['&', '&amp;'],
		['<', '&lt;'],
		['>', '&gt;'],
		['"', '&quot;'],
		["'", '&#39;'],
		['+', '&#43;'],
		['/', '&#x2F;'],
		['=', '&#x3d;'],
	]);
	return text.replace(/[&<>"'+/=]/g, (character) => entities.get(character) ?? character);
}

function strictlyEncoded(text: string): string {
	return encodeURIComponent(text).replace(
		/[!'()*]/g,
		(character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
	);
}
