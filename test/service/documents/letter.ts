import type { RecordContent } from './recordContent';

/** A document for a word processor. */
export async function makeLetter(
	{ title, fields }: RecordContent,
	heading: string,
): Promise<Buffer> {
	const { Document, HeadingLevel, Packer, Paragraph } = await import('docx');
	const document = new Document({
		sections: [
			{
				children: [
					new Paragraph({ text: `${heading} ${title}`, heading: HeadingLevel.HEADING_1 }),
					...fields.map(([name, value]) => new Paragraph(`${name}: ${value}`)),
				],
			},
		],
	});
	return await Packer.toBuffer(document);
}
