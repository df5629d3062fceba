import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { meaningOf } from '../../nodes/api/http/errorCodes';
import type { FailureKind } from '../../nodes/api/http/serviceError';
import { errorMessages, sourceTexts } from './sourceMessages';

const root = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const troubleshooting = read('nodes/SheetRecords/TROUBLESHOOTING.md');

/** Returns the section of a page with this second-level heading. */
function sectionOf(page: string, heading: string): string {
	const [, section = ''] = page.split(`\n## ${heading}\n`);
	return section.split('\n## ')[0] ?? '';
}

/** Returns the first cells of all table rows in a section. */
function firstCells(section: string): string[] {
	const rows = section.matchAll(/^\| (.+?) \| /gm);
	const cells = [...rows].map(([, cell = '']) => cell);
	return cells.filter((cell) => !/^(?:---|Message$|Code$)/.test(cell));
}

/** Messages listed in TROUBLESHOOTING. A row may list several. */
const listed = firstCells(sectionOf(troubleshooting, 'Messages')).flatMap((cell) =>
	[...cell.matchAll(/\*\*(.+?)\*\*/g)].map(([, message = '']) => message),
);

/** Messages listed in the README, without the code of the service. */
const commonProblems = firstCells(sectionOf(read('README.md'), 'Troubleshooting')).map((cell) =>
	cell.replace(/ \(code \d+\)$/, ''),
);

const texts = sourceTexts();
const isInSources = (message: string) => texts.some((text) => text.includes(message));

it.each(listed)('TROUBLESHOOTING quotes a message of the nodes: %s', (message) => {
	expect(isInSources(message)).toBe(true);
});

it('the README lists ten messages of the nodes', () => {
	expect(commonProblems).toHaveLength(10);
	expect(commonProblems.filter((message) => !isInSources(message))).toEqual([]);
});

it('every message without advice of its own is in TROUBLESHOOTING', () => {
	const withoutAdvice = errorMessages().filter(({ hasAdvice }) => !hasAdvice);
	const missing = withoutAdvice.filter(({ text }) => !listed.some((part) => text.includes(part)));
	expect(withoutAdvice.length).toBeGreaterThan(3);
	expect(missing.map(({ text }) => text)).toEqual([]);
});

/** A message that users see, for each kind of failure. */
const messageOfKind: Record<FailureKind, string> = {
	authentication: 'The service did not accept the credential',
	sessionExpired: 'The session has expired',
	noAccess: 'This user has no permission',
	tooFrequent: 'Request frequency too high',
	rejected: 'The record was not saved',
	unconfirmed: 'The service did not confirm the change',
	locked: 'Record locked',
	notFound: 'Record not found',
	server: 'The service is not available at the moment',
	webPage: 'The service answered with a web page instead of data',
	malformed: 'The answer of the service is empty, incomplete or no JSON',
	unreachable: 'The service cannot be reached',
	untrusted: "The service's certificate cannot be verified",
	connectionLost: 'The connection to the service broke off',
	tooSlow: 'The service did not complete its answer',
	notStored: 'The file could not be stored',
	taskUnfinished: 'The task … has not ended',
	redirected: 'The service sends this request on to another host',
	unsent: 'The request could not be sent',
	unexpected: 'The service answered with something else than',
	refused: 'The service refused the request',
};

it.each(Object.entries(messageOfKind))(
	'TROUBLESHOOTING says what to do about a failure of the kind %s: %s',
	(_, message) => {
		expect(listed).toContain(message);
	},
);

it('TROUBLESHOOTING lists the codes of the service that the nodes know, and no others', () => {
	const codes = firstCells(sectionOf(troubleshooting, 'Codes of the service'))
		.flatMap((cell) => cell.split(', '))
		.map(Number);
	const known = Array.from({ length: 1_000 }, (_, code) => code).filter(
		(code) => meaningOf(200, code).meaning !== undefined,
	);
	expect(codes.sort((left, right) => left - right)).toEqual(known);
});
