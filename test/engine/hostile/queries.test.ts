import type { INodeParameters } from 'n8n-workflow';

import { orders } from '../../service';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { loadOptionsOf } from '../runner';
import { addressOf, bombard, type Bombardment } from './bombardment';
import { fewTexts, holdsHalfPair, nastyTexts } from './corpus';
import { rawParameter, rawParameters, whereValue } from './rawRequest';
import { expectWholeRuns } from './wholeRuns';

const testbed = useRecordTestbed({ demoRecords: 200 });
const { remark } = orders.fields;

/** Node's limit for all headers together, which the service has, less what else is in them. */
const longestText = 15_000;

/** What no address can hold: half of a character, or more than a server takes. */
const noAddressHolds = (text: string, times = 1) =>
	holdsHalfPair(text) || encodedLength(text, times) > longestText;

function encodedLength(text: string, times: number): number {
	return times === 0 ? text.length : encodedLength(encodeURIComponent(text), times - 1);
}

/** One record at most, and an item when there is none. */
const options = { emptyResult: 'emptyItem' };
const list: INodeParameters = {
	operation: 'getAll',
	sheet: sheet(orders),
	limit: 1,
	options,
};
const read: INodeParameters = {
	operation: 'get',
	sheet: sheet(orders),
	recordId: recordId('={{ $json.id }}'),
};
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

describe('the value of a condition', () => {
	const looksEncoded = (text: string) => (/%[0-9a-f]{2}/i.test(text) ? 2 : 1);
	const refuses = (text: string) => noAddressHolds(text, looksEncoded(text));

	it('arrives from the list of conditions', async () => {
		const conditions = [{ field: remark, operator: 'eq', value: '={{ $json.text }}' }];
		await expectVerbatim('where', {
			parameters: { ...list, filters: { conditions } },
			carried: whereValue,
			query: ['api', ...listing, 'where'],
			refuses,
			// An administrator is told that the field holds texts, so that what looks like a date stays one.
			more: { credentials: testbed.credentials('admin') },
		});
	});

	it('arrives from conditions as they are written, in one line', async () => {
		await expectVerbatim('where', {
			parameters: { ...list, filterMode: 'raw', where: `=${remark},eq,{{ $json.text }}` },
			carried: whereValue,
			query: ['api', ...listing, 'where'],
			// An expression that yields nothing may be a mistake.
			refuses: (text) => refuses(text) || text.trim() === '',
			texts: nastyTexts.filter((text) => !text.includes('\n')),
		});
	});

	it('has an operator that arrives, and is no part of the value', async () => {
		const where = `=${remark},{{ $json.text }},marked`;
		await expectVerbatim('where', {
			parameters: { ...list, filterMode: 'raw', where },
			carried: ({ rawUrl }) => {
				const [field, operator = '', value, ...more] = (rawUrl.split('where=')[1] ?? '').split(',');
				expect([field, value, more]).toEqual([remark, 'marked', []]);
				return decodeURIComponent(operator);
			},
			query: ['api', ...listing, 'where'],
			sent: (text) => text.trim(),
			texts: fewTexts.filter((text) => !/[\n,]/.test(text)),
			// The service knows no such operator.
			refuses: () => true,
		});
	});

	it('has no operator from conditions that is not among the choices', async () => {
		const conditions = [{ field: remark, operator: '={{ $json.text }}', value: 'marked' }];
		await bombard(testbed, {
			parameters: { ...list, filters: { conditions } },
			refuses: () => true,
		});
	});

	it('with a line break is no condition as it is written, and nothing is asked', async () => {
		const texts = nastyTexts.filter((text) => /\n[^\n]*\S/.test(text));
		expect(texts.length).toBeGreaterThan(0);
		await bombard(testbed, {
			parameters: { ...list, filterMode: 'raw', where: `=${remark},eq,{{ $json.text }}` },
			texts,
			refuses: () => true,
		});
	});
});

describe('in the query of a list', () => {
	it('a full-text search arrives', async () => {
		await expectVerbatim('fts', {
			parameters: { ...list, options: { ...options, fullText: '={{ $json.text }}' } },
			query: ['api', 'fts', ...listing],
		});
	});

	it('a shared view arrives without the white space around it', async () => {
		await expectVerbatim('filterId', {
			parameters: { ...list, options: { ...options, sharedViewId: '={{ $json.text }}' } },
			query: ['api', 'filterId', ...listing],
			sent: (text) => text.trim(),
			// There is no such view.
			refuses: () => true,
		});
		expect(testbed.reads).toHaveLength(fewTexts.filter((text) => !noAddressHolds(text)).length);
	});

	it('the name of a function arrives, and anything else is refused', async () => {
		await expectVerbatim('callback', {
			parameters: { ...list, options: { callback: '={{ $json.text }}' } },
			query: ['api', 'naming', 'version', 'callback', 'limit', 'offset'],
			sent: (text) => text.trim(),
			texts: nastyTexts.filter((text) => text.trim() !== ''),
			refuses: (text) => !/^[\w$.]+$/.test(text.trim()) || noAddressHolds(text),
		});
	});

	it('an additional parameter arrives', async () => {
		const parameter = [{ name: 'x', value: '={{ $json.text }}' }];
		await expectVerbatim('x', {
			parameters: { ...list, options: { ...options, additionalParameters: { parameter } } },
			query: ['api', 'naming', 'version', 'x', 'limit', 'offset'],
		});
	});

	it('a version arrives without the white space around it', async () => {
		await expectVerbatim('version', {
			parameters: { ...list, options: { ...options, version: '={{ $json.text }}' } },
			query: ['api', ...listing],
			sent: (text) => text.trim(),
			texts: nastyTexts.filter((text) => text.trim() !== ''),
		});
	});
});

describe('the name of an additional parameter', () => {
	it('arrives, and is no second parameter', async () => {
		const parameter = [{ name: '={{ $json.text }}', value: 'marked' }];
		await bombard(testbed, {
			parameters: { ...read, options: { additionalParameters: { parameter } } },
			item: (text) => ({ text, id: 1 }),
			texts: nastyTexts.filter((text) => text.trim() !== ''),
			sent: (text) => text.trim(),
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
});

describe('the id of a task', () => {
	it('arrives at the account, and is asked for nowhere else', async () => {
		const texts = nastyTexts.filter((text) => text.trim() !== '');
		await expectVerbatim('taskId', {
			parameters: { resource: 'task', operation: 'get', taskId: '={{ $json.text }}' },
			path: () => '/acme',
			query: ['api', 'taskId'],
			sent: (text) => text.trim(),
			texts,
			// The service has no such task.
			refuses: () => true,
		});
		expect(testbed.reads).toHaveLength(texts.filter((text) => !noAddressHolds(text)).length);
	});
});

describe('the id of a button', () => {
	it('arrives, and presses no other', async () => {
		await expectVerbatim('bId', {
			parameters: {
				resource: 'actionButton',
				operation: 'run',
				sheet: sheet(orders),
				recordId: recordId('={{ $json.id }}'),
				buttonId: recordId('={{ $json.text }}'),
			},
			item: (text) => ({ text, id: 1 }),
			path: () => `${addressOf(orders)}/1`,
			query: ['api', 'bId'],
			sent: (text) => text.trim(),
			refuses: () => true,
		});
		expect(testbed.writes).toHaveLength(fewTexts.filter((text) => !noAddressHolds(text)).length);
	});
});

describe('the value of a file', () => {
	it('arrives, and gets no other file', async () => {
		await expectVerbatim('f', {
			parameters: { resource: 'file', operation: 'download', fileValue: '={{ $json.text }}' },
			texts: nastyTexts.map((text) => `x@${text}`),
			path: () => '/sims/file.jsp',
			query: ['a', 'f'],
			refuses: () => true,
		});
	});

	it('is refused when it is none', async () => {
		await bombard(testbed, {
			parameters: { resource: 'file', operation: 'download', fileValue: '={{ $json.text }}' },
			texts: nastyTexts.filter((text) => !text.includes('@')),
			refuses: () => true,
		});
	});
});

describe('a text to look for in the list of records', () => {
	it('arrives, or is refused', async () => {
		const wrong: string[] = [];
		for (const filter of fewTexts) {
			testbed.service.requests.clear();
			const wasRefused = await loadOptionsOf({
				node: 'sheetRecords',
				parameters: { resource: 'record', operation: 'get', sheet: sheet(orders) },
				credentials: testbed.credentials(),
				method: { kind: 'listSearch', name: 'searchRecords' },
				filter,
			}).then(
				() => false,
				() => true,
			);
			const carried = testbed.reads.map((request) => rawParameter(request, 'fts'));
			const isRight = noAddressHolds(filter)
				? wasRefused && carried.length === 0
				: !wasRefused && carried.join() === filter;
			if (!isRight) wrong.push(filter);
		}
		expect(wrong).toEqual([]);
	});
});

expectWholeRuns('queries');
