/** Names of the characters from U+00A0 to U+00FF, in this order. */
const latinNames =
	'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr ' +
	'deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest ' +
	'Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ' +
	'ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig ' +
	'agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml ' +
	'eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';

/** Names of ASCII characters, as pairs of a name and its character. */
const asciiNames =
	'quot " QUOT " amp & AMP & lt < LT < gt > GT > apos \' excl ! num # dollar $ percnt % lpar ( rpar ) ' +
	'ast * midast * plus + comma , period . sol / colon : semi ; equals = quest ? commat @ ' +
	'lsqb [ lbrack [ bsol \\ rsqb ] rbrack ] Hat ^ lowbar _ UnderBar _ grave ` DiacriticalGrave ` ' +
	'lcub { lbrace { verbar | vert | VerticalLine | rcub } rbrace }';

const characters: ReadonlyMap<string, string> = new Map([
	...latinNames.split(' ').map((name, index) => [name, String.fromCharCode(0xa0 + index)] as const),
	...Array.from(asciiNames.matchAll(/(\w+) (\S)/g), ([, name = '', character = '']) => {
		return [name, character] as const;
	}),
]);

/** An entity in any letter case: its hexadecimal number, decimal number or name. */
export const htmlEntity = /&(?:#x([\da-f]+)|#(\d+)|([a-z][a-z\d]*));/i;

const maxCodePoint = 0x10ffff;

/**
 * Returns the text with the characters in place of HTML entities: numbers, and the names of ASCII and Latin-1 characters.
 * Unknown entities stay. Decodes one layer: `&amp;lt;` becomes `&lt;`.
 */
export function decodeHtmlEntities(text: string): string {
	return text.replace(
		new RegExp(htmlEntity, 'gi'),
		(entity, hexadecimal?: string, decimal?: string, name?: string) => {
			if (name !== undefined) return characters.get(name) ?? entity;
			const code = hexadecimal === undefined ? Number(decimal) : parseInt(hexadecimal, 16);
			return code <= maxCodePoint ? String.fromCodePoint(code) : entity;
		},
	);
}

/** Returns HTML that is drawn as the text. */
export function encodeHtml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
