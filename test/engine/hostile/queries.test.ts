import type { INodeParameters } from 'n8n-workflow';
import { orders } from '../../service';
import { onOrder, onOrders, useRecordTestbed } from '../recordTestbed';
import { addressOf, bombard, type Bombardment } from './bombardment';
import { fewTexts, holdsHalfPair, nastyTexts } from './corpus';
import { rawParameter, rawParameters, whereValue } from './rawRequest';

const testbed = useRecordTestbed({ demoRecords: 200 });
const { remark } = orders.fields;

/** Maximum length of a text in the address: the service's limit for all headers together, minus the other headers. */
const maxTextLength = 15_000;

/** Returns whether a text cannot be sent in an address: it has an unpaired surrogate, or is too long for a server. */
const noAddressHolds = (text: string, times = 1) =>
	holdsHalfPair(text) || encodedLength(text, times) > maxTextLength;

function encodedLength(text: string, times: number): number {
	return times === 0 ? text.length : encodedLength(encodeURIComponent(text), times - 1);
}

/** Reads at most one record, and returns an empty item if there is no record. */
const options = { emptyResult: 'emptyItem' };
const list: INodeParameters = { ...onOrders('getAll'), limit: 1, options };
const read: INodeParameters = onOrder('get');
const listing = ['naming', 'version', 'limit', 'offset'];
const toOrders = { path: () => addressOf(orders) };

/** Sends each text as the value of one parameter of the query. */
async function expectVerbatim(
	name: string,
	more: Partial<Bombardment> & { parameters: INodeParameters },
) {
	await bombard(testbed, {
		refuses: noAddressHolds,
		carried: (request) => rawParameter(request, name),
		...toOrders,
		...more,
	});
}

/** Results of expressions that are no values. */
const noValues = [
	'',
	'NaN',
	'Infinity',
	'-Infinity',
	'[object Object]',
	'Invalid DateTime',
	'Invalid Date',
];

describe('the value of a filter condition', () => {
	const looksEncoded = (text: string) => (/%[0-9a-f]{2}/i.test(text) ? 2 : 1);
	const refuses = (text: string) => noAddressHolds(text, looksEncoded(text));

	it('the value of a condition arrives from the list of conditions', async () => {
		const conditions = [{ field: remark, operator: 'eq', value: '={{ $json.text }}' }];
		await expectVerbatim('where', {
			parameters: { ...list, filters: { conditions } },
			carried: whereValue,
			query: ['api', ...listing, 'where'],
			// A blank value would match empty fields.
			refuses: (text) => text.trim() === '' || refuses(text),
			// An administrator sees that the field contains text, so a value that looks like a date is not converted.
			overrides: testbed.as('admin'),
		});
	});

	it('the value of a condition arrives from a raw condition', async () => {
		await expectVerbatim('where', {
			parameters: { ...list, options: { ...options, where: `=${remark},eq,{{ $json.text }}` } },
			carried: whereValue,
			query: ['api', ...listing, 'where'],
			// An empty result of an expression may be a mistake, and so may the texts of results without a value.
			refuses: (text) => refuses(text) || noValues.includes(text.trim()),
			texts: nastyTexts.filter((text) => !text.includes('\n')),
		});
	});
});

interface QueryCase {
	parameters: INodeParameters;
	/** Parameter of the query that contains the text. It is part of `query`. */
	name: string;
	query: string[];
	/** Path of the request. Default: the list of records. */
	path?: string;
	/** Set if the service does not know the name, so that it rejects each text. */
	isUnknown?: true;
	/** Set if surrounding white space is removed, so that a blank text is rejected. */
	isTrimmed?: true;
	/** Returns an accepted value that contains the text. */
	form?: (nasty: string) => string;
}

const text = '={{ $json.text }}';
const withOption = (more: INodeParameters) => ({ ...list, options: { ...options, ...more } });
const additionalParameters = [{ name: 'x', value: text }];

describe.each<[what: string, aCase: QueryCase]>([
	[
		'a full-text search',
		{ parameters: withOption({ fullText: text }), name: 'fts', query: ['api', 'fts', ...listing] },
	],
	[
		'a shared view',
		{
			parameters: withOption({ sharedViewId: text }),
			...{ name: 'filterId', query: ['api', 'filterId', ...listing] },
			...{ isUnknown: true, isTrimmed: true },
		},
	],
	[
		'an additional parameter',
		{
			parameters: withOption({ additionalParameters: { parameter: additionalParameters } }),
			...{ name: 'x', query: ['api', 'naming', 'version', 'x', 'limit', 'offset'] },
		},
	],
	[
		'the ID of a task',
		{
			parameters: { resource: 'task', operation: 'get', taskId: text },
			...{ name: 'taskId', query: ['api', 'taskId'], path: '/acme' },
			...{ isUnknown: true, isTrimmed: true },
		},
	],
	[
		'the value of a file',
		{
			parameters: { resource: 'file', operation: 'download', fileValue: text },
			...{ name: 'f', query: ['a', 'f'], path: '/sims/file.jsp', isUnknown: true },
			form: (nasty) => `x@${nasty}`,
		},
	],
])('%s', (_, aCase) => {
	const { parameters, name, query, path = addressOf(orders), isUnknown, isTrimmed } = aCase;
	const { form = (nasty) => nasty } = aCase;
	const isText = (nasty: string) => !isTrimmed || nasty.trim() !== '';
	const sent = (nasty: string) => (isTrimmed ? nasty.trim() : nasty);

	it('a text in the query arrives, and adds no parameter', async () => {
		await bombard(testbed, {
			...{ parameters, query, sent },
			texts: nastyTexts.filter(isText).map(form),
			carried: (request) => rawParameter(request, name),
			path: () => path,
			refuses: (nasty) => isUnknown === true || noAddressHolds(nasty),
		});
		const arrived = testbed.service.requests.all().map((request) => rawParameter(request, name));
		const due = fewTexts.map(form).filter((nasty) => !noAddressHolds(nasty));
		expect(arrived).toEqual(expect.arrayContaining(due.map(sent)));
	});
});

it('the name of an additional parameter arrives, and adds no other parameter', async () => {
	const parameter = [{ name: '={{ $json.text }}', value: 'marked' }];
	await bombard(testbed, {
		parameters: { ...read, options: { additionalParameters: { parameter } } },
		item: (text) => ({ text, id: 1 }),
		// Names that differ only in surrounding white space share a request.
		texts: [...new Set(nastyTexts.map((text) => text.trim()))].filter((text) => text !== ''),
		carried: (request) => {
			const names = rawParameters(request).map(([name]) => name);
			expect(names.slice(0, 3)).toEqual(['api', 'naming', 'version']);
			expect(names).toHaveLength(4);
			return names[3];
		},
		path: () => `${addressOf(orders)}/1`,
		refuses: noAddressHolds,
	});
});
