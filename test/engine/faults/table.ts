/**
 * Expected result of a request after a single fault or a lasting one:
 *
 * - `again`: it is repeated, up to 5 attempts, or 8 if it is rejected as too frequent. Then it fails, and nothing was changed.
 * - `renewed`: it is repeated once with a new session. Then it fails, and nothing was changed.
 * - `doubt`: it is not repeated, and the error says that the change may have been made.
 * - `refused`: it is not repeated, and the error says that nothing was changed.
 * - `answered`: nothing happens, and the answer is accepted.
 * - `elsewhere`: another source is requested instead.
 * - `patient`: the status request is repeated until the time limit. Then the error names the task, which continues.
 * - `told`: the error names the task, which continues, at once.
 * - `—`: the request cannot have this fault.
 */
export type Outcome =
	'again' | 'renewed' | 'doubt' | 'refused' | 'answered' | 'elsewhere' | 'patient' | 'told' | '—';

/** Kinds of requests that are handled the same way. */
export type RequestKind =
	/** Reads data. Sending it repeatedly changes nothing. */
	| 'asks'
	/** Reads a file or document. */
	| 'fetches'
	/** Reads the fields of a sheet from one of several sources. */
	| 'looksUp'
	/** Makes a change, which must not be carried out twice. */
	| 'changes'
	/** Reads the progress of a task. */
	| 'watches';

/** Row of the table: a fault, and the outcome for each kind of request. */
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
const webPage = /web page|something else instead|an error page instead/;
const otherHost = /sends this request on to another host/;

/* prettier-ignore */
const lines: Line[] = [
	// fault                                 work      asks        fetches     looks up     changes     watches    the error says
	['connection refused',                   'undone', 'again',    'again',    'again',     'again',    'patient', /cannot be reached/],
	['reset before the request was read',    'undone', 'again',    'again',    'again',     'doubt',    'patient', broken],
	['reset after the request was read',     'undone', 'again',    'again',    'again',     'doubt',    'patient', broken],
	['reset after the work',                 'done',   'again',    'again',    'again',     'doubt',    'patient', broken],
	['answer cut in the middle',             'done',   'again',    'again',    'again',     'doubt',    'patient', broken],
	// Half a file cannot be distinguished from a complete one.
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
	// Only GET requests are queued.
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
