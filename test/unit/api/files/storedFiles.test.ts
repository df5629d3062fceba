import { isAnswerInstead } from '../../../../nodes/api/files/fileContent';
import { extensionOf } from '../../../../nodes/api/values/fileNames';
import { answers, files, headersOf, titleOf } from '../../../storedFileCorpus';

const titled = (cases: typeof files) => cases.map((row) => ({ row, title: titleOf(row) }));

const isRefused = (row: (typeof files)[number]) => {
	const [name, content] = row;
	const expected = { extension: extensionOf(name), isGenerated: false };
	return isAnswerInstead(Buffer.from(content, 'latin1'), headersOf(row), expected);
};

it.each(titled(files))('a stored file is downloaded: $title', ({ row }) => {
	expect(isRefused(row)).toBe(false);
});

it.each(titled(answers))('an answer is not the requested file: $title', ({ row }) => {
	expect(isRefused(row)).toBe(true);
});

it('the corpus has at least 160 files and 40 other answers', () => {
	expect(files.length).toBeGreaterThanOrEqual(160);
	expect(answers.length).toBeGreaterThanOrEqual(40);
});
