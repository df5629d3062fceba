import type { INodeProperties } from 'n8n-workflow';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultRequestsPerSecond } from '../../nodes/api/http/connection';
import {
	deadlineMilliseconds,
	guestRetryMilliseconds,
	maxLoginPauseMilliseconds,
	minLoginPauseMilliseconds,
	timeoutMilliseconds,
	waitBeforeRetry,
} from '../../nodes/api/http/policies';
import { processState } from '../../nodes/api/http/processState';
import { ServiceError, type FailureKind } from '../../nodes/api/http/serviceError';
import { systemFields } from '../../nodes/api/sheet/fields';
import { maxTriggerFiles } from '../../nodes/shared/output/recordFiles';
import { waitingOptions } from '../../nodes/SheetRecords/resources/task';
import { comparedRecords } from '../../nodes/SheetRecordsPollingTrigger/cursor';
import { numberInNodes as constant } from '../nodeSources';

const root = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const pagesIn = (folder: string) =>
	readdirSync(join(root, folder))
		.filter((name) => name.endsWith('.md'))
		.map((name) => `${folder}/${name}`);

const node = 'nodes/SheetRecords';
const webhook = 'nodes/SheetRecordsTrigger';
const polling = 'nodes/SheetRecordsPollingTrigger';
const pages = [
	'README.md',
	'credentials/README.md',
	...[node, webhook, polling].flatMap((folder) => pagesIn(folder)),
];

/** Returns the text of a page without code, and without tables whose numbers another test measures. */
function proseOf(page: string): string {
	return read(page)
		.replace(/^```[\s\S]*?^```/gm, '')
		.replace(/^\| (?:Job \| Requests|Processes \|)[\s\S]*?\n(?:\n|$)/m, '\n');
}

/** Returns the default of a parameter. */
function defaultOf({ properties }: { properties: readonly INodeProperties[] }): number {
	return Number(properties[0]?.default);
}

/** Returns the number of attempts of a request that always fails in this way. */
function attempts(kind: FailureKind, isWrite: boolean): number {
	const error = new ServiceError({ kind, message: '' });
	let count = 1;
	while (waitBeforeRetry(error, { isWrite }, count) !== undefined) count += 1;
	return count;
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

const cacheMinutes = constant('api/sheet/sources/sheetMemory.ts', 'maxFieldsAgeMinutes');
const inferred = constant('api/sheet/sources/loadFields.ts', 'recordsToInfer');
const sample = constant('api/sheet/sources/sources.ts', 'recordsRead');
const singleReads = constant('api/read/recordSearch.ts', 'maxSingleReads');
const pageSize = constant('api/read/pages.ts', 'firstPageSize');
const perSecond = defaultRequestsPerSecond;
const triggerFiles = maxTriggerFiles;
const toolCharacters = constant('SheetRecords/run/toolAnswer.ts', 'maxAnswerCharacters');
const address = constant('api/tasks/massOperations.ts', 'maxAddressCharacters');
const lastDeliveries = constant('SheetRecordsTrigger/recentDeliveries.ts', 'maxStoredRecords');
const compared = comparedRecords;
const lagMinutes = constant('SheetRecordsPollingTrigger/cursor.ts', 'maxLagSeconds') / 60;
const coarsest = constant('SheetRecordsPollingTrigger/cursor.ts', 'maxTimePrecisionSeconds') / 60;
const comparison =
	constant('SheetRecordsPollingTrigger/findChanges.ts', 'comparisonIntervalMilliseconds') / minute;
const pollReads = constant('SheetRecordsPollingTrigger/findChanges.ts', 'maxSampledRecords');
const deletionReads = constant('SheetRecordsPollingTrigger/deletionCheck.ts', 'maxDeletionReads');
const patience =
	constant('SheetRecordsPollingTrigger/deletionCheck.ts', 'patienceMilliseconds') / minute;
const checkEvery = constant('SheetRecordsPollingTrigger/pollingParameters.ts', 'defaultCheckEvery');

/** Returns the duration of this number of requests at the default rate, in minutes, rounded up. */
const minutesFor = (requests: number) => Math.ceil(requests / perSecond / 60);

/** A passage of a page with `#` for each number, and the numbers. Omitted for an example with arbitrary numbers. */
interface Claim {
	page: string;
	text: string;
	values?: number[];
}

const claims: Claim[] = [
	{ page: 'README.md', text: 'The first # records appear', values: [50] },
	{ page: 'README.md', text: 'a check every # polls', values: [checkEvery] },
	{ page: 'README.md', text: '# requests per second per account', values: [perSecond] },

	{ page: 'credentials/README.md', text: '# by default; the service', values: [perSecond] },
	{
		page: 'credentials/README.md',
		text: 'for # seconds, then #, # and so on up to # minutes',
		values: [
			...[1, 2, 4].map((times) => (times * minLoginPauseMilliseconds) / second),
			maxLoginPauseMilliseconds / minute,
		],
	},
	{ page: 'credentials/README.md', text: '# means one request every # seconds', values: [0.2, 5] },
	{ page: 'credentials/README.md', text: '# processes at # per second send #' },
	{
		page: 'credentials/README.md',
		text: 'They are sent up to # times',
		values: [attempts('tooFrequent', true)],
	},
	{
		page: 'credentials/README.md',
		text: 'only reads are sent again, up to # times',
		values: [attempts('server', false)],
	},
	{ page: 'credentials/README.md', text: 'more than # requests per second', values: [perSecond] },
	{ page: 'credentials/README.md', text: '\\) of # minutes', values: [5] },

	{
		page: `${node}/DOCUMENTS_AND_FILES.md`,
		text: 'downloads at most # files per delivery or poll',
		values: [triggerFiles],
	},
	{
		page: `${node}/LIMITS.md`,
		text: '# seconds per request; # minutes for a complete',
		values: [timeoutMilliseconds / second, deadlineMilliseconds / minute],
	},
	{
		page: `${node}/LIMITS.md`,
		text: '#\\s*at first, up to #',
		values: [pageSize, constant('api/read/pages.ts', 'maxPageSize')],
	},
	{
		page: `${node}/LIMITS.md`,
		text: 'request of _Subtable Row_ \\| #',
		values: [constant('SheetRecords/resources/subtableRow/index.ts', 'maxRowsPerRequest')],
	},
	{ page: `${node}/LIMITS.md`, text: '# characters \\|\\n\\| Values', values: [address] },
	{ page: `${node}/LIMITS.md`, text: 'the newest # records', values: [inferred] },
	{
		page: `${node}/README.md`,
		text: 'over # items or more',
		values: [constant('SheetRecords/run/writeReport.ts', 'minReportedItems')],
	},
	{
		page: `${node}/LIMITS.md`,
		text: 'about # characters',
		values: [constant('api/read/query.ts', 'maxConditionsLength')],
	},
	{ page: `${node}/LIMITS.md`, text: 'agent \\| # characters', values: [toolCharacters] },
	{ page: `${node}/LIMITS.md`, text: '\\| # per delivery or poll', values: [triggerFiles] },
	{
		page: `${node}/LIMITS.md`,
		text: '# MB in a process; a record for # minutes',
		values: [
			constant('api/read/memory/processMemory.ts', 'maxMemoryMegabytes'),
			constant('api/read/memory/processMemory.ts', 'maxKnownMinutes'),
		],
	},
	{ page: `${node}/LIMITS.md`, text: 'in # minutes per sheet', values: [cacheMinutes] },
	{ page: `${node}/LIMITS.md`, text: 'refuses costs # requests', values: [2] },
	{ page: `${node}/LIMITS.md`, text: '# reads of the first # records', values: [2, sample] },
	{ page: `${node}/LIMITS.md`, text: 'once in # minutes\\.', values: [cacheMinutes] },
	{ page: `${node}/LIMITS.md`, text: 'some # short ones' },
	{ page: `${node}/LIMITS.md`, text: 'Up to # records are read one by one', values: [singleReads] },
	{
		page: `${node}/LIMITS.md`,
		text: 'which is # by default:[^]+At # per second',
		values: [perSecond, perSecond],
	},
	{
		page: `${node}/LIMITS.md`,
		text: 'Write # records +\\| About # +\\| # seconds',
		values: [1_000, 1_000, 1_000 / perSecond],
	},
	{
		page: `${node}/LIMITS.md`,
		text: 'Sync # records with _Skip Unchanged_; # differ +\\| About # +\\| # seconds',
		values: [1_000, 10, 20, 20 / perSecond],
	},
	{
		page: `${node}/LIMITS.md`,
		text: '# records with _Skip Unchanged_; # \\(# %\\) differ +\\| About # +\\| # minutes',
		values: [10_000, 2_500, 25, 2_600, minutesFor(2_600)],
	},
	{
		page: `${node}/LIMITS.md`,
		text: '# records without _Skip Unchanged_ +\\| About # +\\| # minutes',
		values: [10_000, 10_040, minutesFor(10_040)],
	},
	{ page: `${node}/LIMITS.md`, text: 'look-up for every # items' },
	{ page: `${node}/LIMITS.md`, text: 'one read for every # items' },
	{
		page: `${node}/LIMITS.md`,
		text: 'Up to # requests for the fields',
		values: [4],
	},
	{
		page: `${node}/LIMITS.md`,
		text: 'longer than # seconds to answer[^]+with # seconds, # requests take # minutes',
		values: [1 / perSecond, 0.5, 2_600, Math.ceil((2_600 * 0.5) / 60)],
	},
	{ page: `${node}/LIMITS.md`, text: 'accounts that exceed #\\.', values: [perSecond] },
	{ page: `${node}/LIMITS.md`, text: 'a run over more than # items' },
	{ page: `${node}/LIMITS.md`, text: 'The first write of # minutes', values: [cacheMinutes] },

	{ page: `${node}/MASS_OPERATIONS.md`, text: 'on # different dates take # operations' },
	{ page: `${node}/MASS_OPERATIONS.md`, text: 'instead of # updates' },
	{ page: `${node}/MASS_OPERATIONS.md`, text: 'shorter than # characters', values: [address + 1] },
	{ page: `${node}/MASS_OPERATIONS.md`, text: 'some # to # IDs' },
	{
		page: `${node}/MASS_OPERATIONS.md`,
		text: 'Interval_ \\(# seconds\\)',
		values: [defaultOf(waitingOptions.pollInterval)],
	},
	{
		page: `${node}/MASS_OPERATIONS.md`,
		text: 'up to # seconds apart',
		values: [constant('api/tasks/task.ts', 'maxCheckDelayMilliseconds') / second],
	},
	{
		page: `${node}/MASS_OPERATIONS.md`,
		text: 'Timeout_ \\(# seconds\\)',
		values: [defaultOf(waitingOptions.timeout)],
	},

	{ page: `${node}/READING.md`, text: '# items take #\\.', values: [2_500, 14] },
	{ page: `${node}/READING.md`, text: 'takes # more request' },
	{ page: `${node}/READING.md`, text: 'Of the last # days' },
	{ page: `${node}/READING.md`, text: 'the newest # records', values: [inferred] },
	{ page: `${node}/READING.md`, text: 'Pages start with # records', values: [pageSize] },
	{ page: `${node}/README.md`, text: 'has at most # characters', values: [toolCharacters] },

	{ page: `${node}/TROUBLESHOOTING.md`, text: '# requests per second', values: [perSecond] },
	{ page: `${node}/TROUBLESHOOTING.md`, text: 'the newest # records', values: [inferred] },
	{
		page: `${node}/TROUBLESHOOTING.md`,
		text: 'Reads are sent up to # times',
		values: [attempts('connectionLost', false)],
	},
	{
		page: `${node}/TROUBLESHOOTING.md`,
		text: '\\(429, code 204\\) are sent up to # times',
		values: [attempts('tooFrequent', false)],
	},
	{
		page: `${node}/TROUBLESHOOTING.md`,
		text: 'once after # second',
		values: [guestRetryMilliseconds / second],
	},
	{
		page: `${node}/TROUBLESHOOTING.md`,
		text: '# characters of one in a row',
		values: [constant('api/http/redaction.ts', 'minFragmentLength')],
	},

	{
		page: `${node}/VALUES.md`,
		text: 'fewer than # digits',
		values: [constant('api/sheet/fields.ts', 'minIdDigits')],
	},
	{ page: `${node}/VALUES.md`, text: 'once in # minutes', values: [cacheMinutes] },
	{ page: `${node}/VALUES.md`, text: '# reads of the first # records', values: [2, sample] },
	{ page: `${node}/VALUES.md`, text: 'the newest # records', values: [inferred] },
	{ page: `${node}/VALUES.md`, text: 'cached for # minutes', values: [cacheMinutes] },
	{
		page: `${node}/LIMITS.md`,
		text: 'the same record again for # minutes',
		values: [processState.uncertainCreations.maxAge / minute],
	},
	{
		page: `${node}/VALUES.md`,
		text: 'not asked again for # minutes',
		values: [constant('api/sheet/sources/sheetMemory.ts', 'maxRefusalAgeMinutes')],
	},
	{
		page: `${node}/WRITING.md`,
		text: 'in one request, up to # rows',
		values: [constant('SheetRecords/resources/subtableRow/index.ts', 'maxRowsPerRequest')],
	},

	{ page: `${polling}/README.md`, text: 'between # polls' },
	{ page: `${polling}/README.md`, text: 'values of the # records', values: [compared] },
	{
		page: `${polling}/README.md`,
		text: 'at least # changed since',
		values: [constant('SheetRecordsPollingTrigger/watchedValues.ts', 'maxWatchedRecords')],
	},
	{ page: `${polling}/README.md`, text: 'every # polls', values: [checkEvery] },
	{
		page: `${polling}/README.md`,
		text: 'with a poll per minute, every # minutes',
		values: [checkEvery],
	},
	{ page: `${polling}/README.md`, text: 'checks, # by default', values: [checkEvery] },
	{ page: `${polling}/README.md`, text: 'at most # of these records', values: [deletionReads] },
	{ page: `${polling}/README.md`, text: 'must last for # minutes', values: [patience] },
	{ page: `${polling}/README.md`, text: 'from lists for # minutes', values: [patience] },
	{
		page: `${polling}/README.md`,
		text: 'up to # records',
		values: [constant('SheetRecordsPollingTrigger/deletionCheck.ts', 'maxKnownRecords')],
	},
	...['at most # items', 'once, at most # per poll'].map((text) => ({
		page: `${polling}/README.md`,
		text,
		values: [constant('SheetRecordsPollingTrigger/findChanges.ts', 'maxItems')],
	})),
	{ page: `${polling}/README.md`, text: 'for each # records', values: [pageSize] },
	{
		page: `${polling}/README.md`,
		text: 'at most # changes and downloads at most # files',
		values: [triggerFiles, triggerFiles],
	},
	{ page: `${polling}/README.md`, text: 'the # minutes before', values: [lagMinutes] },
	...['After # minutes', 'for # minutes \\| 1 per poll', 'for more than # minutes'].map((text) => ({
		page: `${polling}/README.md`,
		text,
		values: [lagMinutes + coarsest],
	})),
	{ page: `${polling}/README.md`, text: '[Ee]very # minutes, or', values: [comparison] },
	{ page: `${polling}/README.md`, text: 'more every # minutes', values: [comparison] },
	{ page: `${polling}/README.md`, text: 'the # latest changes', values: [compared] },
	{
		page: `${polling}/README.md`,
		text: 'After # polls in a row',
		values: [constant('SheetRecordsPollingTrigger/poll.ts', 'maxOtherSheetPolls')],
	},
	{ page: `${polling}/README.md`, text: 'about # characters per' },
	{ page: `${polling}/README.md`, text: 'a poll after # seconds' },
	{
		page: `${polling}/README.md`,
		text: 'the last # minutes \\| 1 per # of',
		values: [lagMinutes, pageSize],
	},
	{
		page: `${polling}/README.md`,
		text: 'the first # records, few for the rest; up to # more for new records, up to # for missing',
		values: [pageSize, pollReads, deletionReads + 1],
	},
	{ page: `${polling}/README.md`, text: '# more in # minutes', values: [1, cacheMinutes] },
	{
		page: `${polling}/README.md`,
		text: 'for the fields, every # minutes',
		values: [cacheMinutes],
	},
	{ page: `${polling}/README.md`, text: 'index is more than # minutes', values: [comparison] },
	{ page: `${polling}/README.md`, text: 'more than # records change before', values: [compared] },

	{
		page: `${webhook}/README.md`,
		text: 'at most # times in a burst',
		values: [constant('api/webhooks/publicKey.ts', 'maxRefreshes')],
	},
	{
		page: `${webhook}/README.md`,
		text: 'more than # characters\\.',
		values: [constant('api/webhooks/localFilter.ts', 'maxRegexCharacters')],
	},
	{ page: `${webhook}/README.md`, text: 'the last # records', values: [lastDeliveries] },
	{
		page: `${webhook}/README.md`,
		text: 'more than # characters, divided',
		values: [constant('shared/watchedFields.ts', 'maxStoredCharacters')],
	},
	{ page: `${webhook}/README.md`, text: 'in # minutes\\. The node waits', values: [cacheMinutes] },
	{
		page: `${webhook}/README.md`,
		text: 'up to # seconds',
		values: [constant('api/sheet/sheetFields.ts', 'maxDeliveryWaitMilliseconds') / second],
	},
	{ page: `${webhook}/README.md`, text: 'at most # per delivery', values: [triggerFiles] },
	{
		page: `${webhook}/README.md`,
		text: 'in the last # minutes\\. Let',
		values: [constant('SheetRecordsTrigger/recentDeliveries.ts', 'maxRepeatMilliseconds') / minute],
	},
	{ page: `${webhook}/README.md`, text: 'Up to # records are read', values: [singleReads] },
	{ page: `${webhook}/README.md`, text: 'at most about # requests' },
	{
		page: `${webhook}/README.md`,
		text: 'more than # deliveries',
		values: [constant('SheetRecordsTrigger/changedRecords.ts', 'maxRunningReads')],
	},
	{
		page: `${webhook}/README.md`,
		text: 'more than # fields',
		values: [constant('api/webhooks/delivery.ts', 'limits', 'keys')],
	},
	{
		page: `${webhook}/README.md`,
		text: 'More than # MB',
		values: [constant('api/webhooks/verifyDelivery.ts', 'maxBodyBytes') / 1024 / 1024],
	},
	{
		page: `${webhook}/README.md`,
		text: 'larger than # MB',
		values: [constant('api/webhooks/signature.ts', 'maxRespelledCharacters') / 1_000_000],
	},
];

const words = [
	'zero',
	'one',
	'two',
	'three',
	'four',
	'five',
	'six',
	'seven',
	'eight',
	'nine',
	'ten',
];
const numberPattern = `(\\d[\\d,]*(?:\\.\\d+)?|half a|${words.join('|')})`;

function numberOf(text: string): number {
	if (text === 'half a') return 0.5;
	const word = words.indexOf(text.toLowerCase());
	return word === -1 ? Number(text.replaceAll(',', '')) : word;
}

function matchesOf({ page, text }: Claim): RegExpExecArray[] {
	return [...proseOf(page).matchAll(new RegExp(text.replaceAll('#', numberPattern), 'gi'))];
}

/** Numbers with units that describe the behavior of the product. */
const counted =
	/(?<![\w:#`-])(\d[\d,]*(?:\.\d+)?|half a|two|three|four|five|six|seven|eight|nine|ten)(?: (?:more|newest|latest|changed|missing))? (requests|records|seconds?|minutes|hours|times|rows|items|files|characters|IDs|polls|MB|changes|deliveries|fields|digits|days|reads)\b/gi;

it.each(claims)('$page says the right number: "$text"', (claim) => {
	const matches = matchesOf(claim);
	expect(matches).not.toEqual([]);
	if (!claim.values) return;
	for (const [, ...numbers] of matches) expect(numbers.map(numberOf)).toEqual(claim.values);
});

it.each(pages)(
	'every number of requests, records and times in %s is compared with the code',
	(page) => {
		const ranges = claims
			.filter((claim) => claim.page === page)
			.flatMap(matchesOf)
			.map(({ index, 0: text }) => [index, index + text.length] as const);
		const unclaimed = [...proseOf(page).matchAll(counted)].filter(
			({ index }) => !ranges.some(([start, end]) => index >= start && index < end),
		);
		// "[five minutes]" is the name of a section.
		const texts = unclaimed.map(([text]) => text).filter((text) => !/^five minutes$/i.test(text));
		expect(texts).toEqual([]);
	},
);

it('the source of fields that answered is asked first for an hour', () => {
	expect(read(`${node}/VALUES.md`)).toContain('asked first for an hour');
	expect(constant('api/sheet/sources/sheetMemory.ts', 'maxAnsweringAgeMinutes') * minute).toBe(
		hour,
	);
});

it('READING lists the system fields in the order of the specification', () => {
	const [, list = ''] = /has the system fields (.+?)\./.exec(read(`${node}/READING.md`)) ?? [];
	expect(list.split(/, | and /)).toEqual(systemFields.map(({ name }) => name));
});

it('the README has at most 1,600 words', () => {
	expect(read('README.md').split(/\s+/).length).toBeLessThanOrEqual(1_600);
});

it.each([
	...pages.map((page) => ({ page, maxBytes: page === 'README.md' ? 20_000 : 10_000 })),
	{ page: '.github/CONTRIBUTING.md', maxBytes: 9_000 },
])('$page has at most $maxBytes bytes', ({ page, maxBytes }) => {
	expect(Buffer.byteLength(read(page))).toBeLessThanOrEqual(maxBytes);
});

/** Phrases that are hard to understand at first reading. */
const riddles = [
	/\bso many\b/i,
	/\bwhatever\b/i,
	/\b(?:for|is|are) none\b(?! of)/i,
	/\bwhat (?:is|was|are|were|it|they|that|has|had|comes?)\b/i,
	/\b(?:one|those|ones) (?:that|which|whose)\b/i,
	/\b(?:is|are|was|were) to be\b/i,
	/\bas (?:it|they) (?:is|are|was|were|comes?|stands?)\b/i,
	/\btold? of\b|\bfor good\b|\bby itself\b|\bpassed over\b/i,
];

it.each([...pages, '.github/CONTRIBUTING.md', '.github/HOW_TO.md', '.github/RELEASING.md'])(
	'%s is in plain sentences',
	(page) => {
		const lines = proseOf(page).split('\n');
		expect(lines.filter((line) => riddles.some((riddle) => riddle.test(line)))).toEqual([]);
	},
);
