/**
 * What must happen to a request that meets a fault, once and again and again:
 *
 * - `again`: it is sent again, up to five times in all, eight where it is refused as too frequent; then its failure is told, and nothing was changed;
 * - `renewed`: it is sent again once, with a new session; then its failure is told, and nothing was changed;
 * - `doubt`: it is not sent again, and the error says that the change may have been made;
 * - `refused`: it is not sent again, and the error leaves no doubt that nothing was changed;
 * - `answered`: nothing happens, the answer is taken;
 * - `elsewhere`: another source is asked in its place;
 * - `patient`: the look is repeated until the time is up; then the error names the task, which goes on;
 * - `told`: the error names the task, which goes on, at once;
 * - `—`: it cannot meet this fault.
 */
export type Outcome =
	'again' | 'renewed' | 'doubt' | 'refused' | 'answered' | 'elsewhere' | 'patient' | 'told' | '—';

/** The kinds of requests that are treated alike. */
export type RequestKind =
	/** Asks for data; nothing changes however often it is sent. */
	| 'asks'
	/** Asks for a file or document. */
	| 'fetches'
	/** Asks one of several sources for the fields of a sheet. */
	| 'looksUp'
	/** Changes something; it must not be carried out twice. */
	| 'changes'
	/** Looks how far a task is. */
	| 'watches';

/** A line of the table: a fault, and what each kind of request makes of it. */
export interface Row extends Record<RequestKind, Outcome> {
	fault: string;
	/** Whether the service carries out a request that the fault strikes. */
	work: 'done' | 'undone';
	says: RegExp;
}

type Line = [
	fault: string,
	work: 'done' | 'undone',
	asks: Outcome,
	fetches: Outcome,
	looksUp: Outcome,
	changes: Outcome,
	watches: Outcome,
	says: RegExp,
];

const broken = /broke off before/;
const silent = /sent nothing for 120 seconds/;
const busy = /HTTP 500/;
const inTime = /did not answer in time/;
const unavailable = /not available at the moment/;
const tooMany = /too many requests/;
const tooFrequent = /frequency too high/;
const webPage = /web page|something else instead/;
const otherHost = /sends this request on to another host/;

/* prettier-ignore */
const lines: Line[] = [
	// fault                                 work      asks        fetches     looks up     changes     watches    the error says
	['connection refused',                   'undone', 'again',    'again',    'again',     'again',    'patient', /cannot be reached/],
	['reset before the request was read',    'undone', 'again',    'again',    'again',     'doubt',    'patient', broken],
	['reset after the request was read',     'undone', 'again',    'again',    'again',     'doubt',    'patient', broken],
	['reset after the work',                 'done',   'again',    'again',    'again',     'doubt',    'patient', broken],
	['answer cut in the middle',             'done',   'again',    'again',    'again',     'doubt',    'patient', broken],
	// Nothing tells half a file from a whole one.
	['half an answer as if it were whole',   'done',   'again',    '—',        'elsewhere', 'doubt',    'patient', /incomplete or no JSON/],
	['HTTP 408',                             'undone', 'again',    'again',    'elsewhere', 'doubt',    'patient', /gave up waiting/],
	['HTTP 429 with Retry-After',            'undone', 'again',    'again',    'again',     'again',    'patient', tooMany],
	['HTTP 429 without Retry-After',         'undone', 'again',    'again',    'again',     'again',    'patient', tooMany],
	['HTTP 429 by a clock that is ahead',    'undone', 'again',    'again',    'again',     'again',    'patient', tooMany],
	['HTTP 429 by a clock that is behind',   'undone', 'again',    'again',    'again',     'again',    'patient', tooMany],
	['HTTP 500',                             'undone', 'again',    'again',    'elsewhere', 'doubt',    'patient', busy],
	['HTTP 502',                             'undone', 'again',    'again',    'again',     'doubt',    'patient', /no proper answer/],
	['HTTP 503',                             'undone', 'again',    'again',    'again',     'doubt',    'patient', unavailable],
	['HTTP 504',                             'undone', 'again',    'again',    'again',     'doubt',    'patient', inTime],
	['HTTP 504 after the work',              'done',   'again',    'again',    'again',     'doubt',    'patient', inTime],
	['code 203',                             'undone', '—',        '—',        '—',         'doubt',    '—',       /POST request did not finish/],
	['code 203 after the work',              'done',   '—',        '—',        '—',         'doubt',    '—',       /POST request did not finish/],
	['code 204',                             'undone', 'again',    'again',    'again',     'again',    'patient', tooFrequent],
	// The queue is one for GET requests.
	['queue full, code 204',                 'undone', 'again',    'again',    'again',     'answered', 'patient', tooFrequent],
	['queue full, HTTP 429',                 'undone', 'again',    'again',    'again',     'answered', 'patient', tooMany],
	['queue full, HTTP 503',                 'undone', 'again',    'again',    'again',     'answered', 'patient', unavailable],
	['slow answer',                          'done',   'answered', 'answered', 'answered',  'answered', 'answered', /nothing/],
	['hanging answer',                       'undone', 'again',    'again',    'again',     'doubt',    'patient', silent],
	['answer that stops in the middle',      'done',   'again',    'again',    'again',     'doubt',    'patient', silent],
	['redirect to another host (302)',       'undone', 'refused',  'refused',  'elsewhere', 'doubt',    'told',    otherHost],
	['redirect to another host (307)',       'undone', 'refused',  'refused',  'elsewhere', 'refused',  'told',    otherHost],
	['web page instead of data',             'undone', 'refused',  'refused',  'elsewhere', 'doubt',    'patient', webPage],
	['web page after the work',              'done',   'refused',  'refused',  'elsewhere', 'doubt',    'patient', webPage],
	['session ended, code 301',              'undone', 'renewed',  'renewed',  'renewed',   'renewed',  'renewed', /session has timed out/],
	['session ended, code 302',              'undone', 'renewed',  'renewed',  'renewed',   'renewed',  'renewed', /session has expired/],
	['session ended, HTTP 401',              'undone', 'renewed',  'renewed',  'renewed',   'renewed',  'renewed', /did not accept the credential/],
];

export const table: readonly Row[] = lines.map(
	([fault, work, asks, fetches, looksUp, changes, watches, says]) => ({
		fault,
		work,
		asks,
		fetches,
		looksUp,
		changes,
		watches,
		says,
	}),
);
