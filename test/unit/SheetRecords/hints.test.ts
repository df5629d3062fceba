import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';
import type { Task } from '../../../nodes/api/tasks/task';
import { Hints } from '../../../nodes/SheetRecords/run/hints';

it('a wait of less than ten seconds gives no hint', () => {
	const hints = new Hints();
	hints.addWait({ milliseconds: 9_999, reason: 'Too many requests' });
	expect([...hints.warnings]).toEqual([]);
});

it('a wait of ten seconds gives a hint with the seconds and the reason', () => {
	const hints = new Hints();
	hints.addWait({ milliseconds: 10_000, reason: 'Too many requests' });
	expect([...hints.warnings]).toEqual([
		'The node waited 10 s in total before it sent requests again. Reason: Too many requests',
	]);
});

const shownBy = (hints: Hints): string[] => {
	const messages: string[] = [];
	const context = {
		addExecutionHints: (...added: NodeExecutionHint[]) =>
			messages.push(...added.map(({ message }) => message)),
	};
	hints.show(context as unknown as IExecuteFunctions);
	return messages;
};

const task: Task = {
	...{ taskId: '1', taskName: null, account: null, status: 'COMPLETED', message: '' },
	...{ finished: true, succeeded: true, progress: null },
	...{ processed: 3, success: 2, fail: 1, total: 3 },
};

/** Everything that a run can tell, each with words of its message. */
const reasonsToHint: Record<string, [tell: (hints: Hints) => void, words: RegExp]> = {
	wait: [
		(hints) => hints.addWait({ milliseconds: 12_000, reason: 'Too many requests' }),
		/waited 12 s/,
	],
	warning: [(hints) => void hints.warnings.add('Careful.'), /^Careful\.$/],
	report: [(hints) => (hints.report = '2 records were created.'), /2 records were created/],
	comparison: [(hints) => hints.addComparison(0, 7, 3), /read 7 records and returned 3/],
	task: [(hints) => void hints.endedTasks.set('1', task), /The task ended: .*1 failed/],
	leftOut: [
		(hints) => hints.addLeftOut([{ name: 'Total', reason: 'filledIn' }]),
		/'Total' \(filled in by the service\)/,
	],
	copies: [(hints) => (hints.isCopiedUntyped = true), /^Automatic numbers and computed values/],
	untyped: [(hints) => void hints.untyped.add('Amount'), /types of 'Amount' are unknown/],
};

it('field names with characters of HTML are text in the editor, which draws hints as HTML', () => {
	const hints = new Hints();
	hints.addLeftOut([{ name: '<b>R&amp;D</b>', reason: 'filledIn' }]);
	expect(shownBy(hints)).toEqual([
		"Not written: '&lt;b>R&amp;amp;D&lt;/b>' (filled in by the service).",
	]);
});

const names = Object.keys(reasonsToHint);
const pairs = names.flatMap((first, index) =>
	names.slice(index + 1).map((second) => [first, second] as const),
);

it.each(pairs)('two hints at once are both shown, and nothing else: %s and %s', (...pair) => {
	const hints = new Hints();
	const words = pair.flatMap((name) => {
		const [tell, pattern] = reasonsToHint[name] ?? [];
		tell?.(hints);
		return pattern ?? [];
	});
	const messages = shownBy(hints);
	expect(messages).toHaveLength(2);
	for (const pattern of words) {
		expect(messages.filter((message) => pattern.test(message))).toHaveLength(1);
	}
});

it('a field that is left out for two reasons, and two fields for one reason, are all named once', () => {
	const hints = new Hints();
	for (let item = 0; item < 2; item++) {
		hints.addLeftOut([
			{ name: 'Total', reason: 'filledIn' },
			{ name: 'Total', reason: 'shifted' },
			{ name: 'Margin', reason: 'filledIn' },
			{ name: 'Status', reason: 'noChoice' },
		]);
	}
	const [message = ''] = shownBy(hints);
	expect(message).toMatch(/^Not written: 'Total', 'Margin' \(filled in[^)]*\), 'Total' \(times/);
	expect(message).not.toContain('Status');
});

it('the counts of several comparisons and tasks are added up', () => {
	const hints = new Hints();
	hints.addComparison(0, 7, 3);
	hints.addComparison(1, 1_000, 4);
	hints.endedTasks.set('1', task).set('2', task);
	expect(shownBy(hints)).toEqual([
		expect.stringMatching(/read 1,007 records and returned 7 of them/),
		expect.stringMatching(/^2 tasks ended: .*2 failed/),
	]);
});
