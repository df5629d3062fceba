import type { INodeParameters } from 'n8n-workflow';

import { useRecordTestbed, type Locator } from '../recordTestbed';
import { bombard } from './bombardment';
import { holdsHalfPair, nastyTexts } from './corpus';
import { changesSince, stateOf } from './state';

const testbed = useRecordTestbed({ demoRecords: 20 });
const path = (value: string, mode = 'path'): Locator => ({ __rl: true, mode, value });
const create: INodeParameters = {
	operation: 'create',
	inputMode: 'json',
	recordJson: '{ "1000011": "x" }',
};

/** A path of folders with a number at its end that names no folder `.` or `..`, however encoded. */
function isSheetPath(written: string): boolean {
	const names = written
		.trim()
		.replace(/^\/{1,600}|\/{1,600}$/g, '')
		.split('/');
	const plain = names.map(decodedOnce);
	const isNumbered = names.length > 1 && /^\d{1,15}$/.test(plain.at(-1) ?? '');
	return (
		isNumbered &&
		!/[?#]/.test(written) &&
		!/^https?:\/\//i.test(written.trim()) &&
		!holdsHalfPair(written) &&
		plain.every((name) => name !== '' && !isFolderUp(name))
	);
}

/** A folder `.` or `..`, or one that leads there when a slash in it is taken for one between folders. */
function isFolderUp(name: string): boolean {
	return name.split(/[/\\]/).some((part) => part === '.' || part === '..');
}

function decodedOnce(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

it('a text in place of the sheet of a task is refused, unless it is a path', async () => {
	await bombard(testbed, {
		parameters: {
			resource: 'task',
			operation: 'get',
			taskId: 'x',
			options: { sheet: '={{ $json.text }}' },
		},
		texts: nastyTexts.filter((text) => !isSheetPath(text) && text.trim() !== ''),
		refuses: () => true,
	});
});

describe('a text as the name of a folder', () => {
	const folders = nastyTexts.filter((text) => !/[/?#]/.test(text) && text.trim() !== '');

	it('arrives as one folder, or is refused', async () => {
		const isFolder = (text: string) => !holdsHalfPair(text) && !isFolderUp(decodedOnce(text));
		await bombard(testbed, {
			parameters: { ...create, sheet: path('=sales/{{ $json.text }}/1') },
			texts: folders,
			// There is no such folder.
			refuses: () => true,
			carried: (request) => {
				const [, account, first, folder = '', index, ...rest] = request.path.split('/');
				expect([account, first, index, rest]).toEqual(['acme', 'sales', '1', []]);
				return decodeURIComponent(folder);
			},
			sent: decodedOnce,
			path: (_id, text) => `/acme/sales/${encodeURIComponent(decodedOnce(text))}/1`,
			query: ['api'],
		});
		const short = folders.filter(
			(text) => isFolder(text) && encodeURIComponent(text).length < 15_000,
		);
		expect(testbed.writes.length).toBe(short.length);
	});
});

it('a text behind the address of the service leads to the sheet that it names, or is refused', async () => {
	const before = stateOf(testbed.service);
	const { baseUrl } = testbed.service;
	const address = path(`=${baseUrl}/acme/sales/{{ $json.text }}`, 'url');
	const items = nastyTexts.map((text) => ({ text }));
	const result = await testbed.run({ ...create, sheet: address }, items, {
		onError: 'continueErrorOutput',
	});
	expect(result.items).toEqual([]);
	expect(result.errorItems).toHaveLength(nastyTexts.length);
	const places = testbed.service.requests.all().map(({ method, path: seen, rawUrl }) => {
		const segments = seen.split('/').slice(1).map(decodeURIComponent);
		expect(segments.filter((segment) => ['', '.', '..'].includes(segment))).toEqual([]);
		return [method, ...segments.slice(0, 2), rawUrl.slice(seen.length)].join(' ');
	});
	expect(places.length).toBeGreaterThan(1);
	expect(new Set(places)).toEqual(new Set(['POST acme sales ?api']));
	expect(changesSince(before, stateOf(testbed.service)).size).toBe(0);
});
