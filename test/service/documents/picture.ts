import type { RecordContent } from './recordContent';

const width = 32;

/** A picture from which the record's id can be read: a bar for each bit of it, black for one. */
export async function makePicture({ recordId }: RecordContent): Promise<Buffer> {
	const { PNG } = await import('pngjs');
	const picture = new PNG({ width, height: width });
	for (let pixel = 0; pixel < width * width; pixel += 1) {
		const isBlack = (recordId >>> (pixel % width)) & 1;
		picture.data.fill(isBlack ? 0 : 255, pixel * 4, pixel * 4 + 3);
		picture.data.writeUInt8(255, pixel * 4 + 3);
	}
	return PNG.sync.write(picture);
}
