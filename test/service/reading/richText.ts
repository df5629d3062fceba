const tags: Array<[RegExp, string]> = [
	[/\[(\/?)([biu])\]/g, '<$1$2>'],
	[/\[url=([^\]]*)\]/g, '<a href="$1">'],
	[/\[\/url\]/g, '</a>'],
	[/\n/g, '<br>'],
];

/** Turns the raw markup of a rich-text field into HTML (specification, "Value formats"). */
export function richTextToHtml(markup: string): string {
	const escaped = markup.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
	return tags.reduce((html, [tag, replacement]) => html.replace(tag, replacement), escaped);
}
