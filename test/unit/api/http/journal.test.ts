import { Journal } from '../../../../nodes/api/http/journal';

const answer = (text: string) => ({ status: 200, headers: {}, text });

describe('the journal of an item', () => {
	it('a write that was not confirmed is sent in the next attempt', () => {
		const journal = new Journal();
		expect(journal.answerOf('change /1')).toBeUndefined();
		journal.startOver();
		expect([journal.answerOf('change /1'), journal.count]).toEqual([undefined, 0]);
	});

	it('a confirmed step is not sent in the next attempts, whatever was confirmed or rejected beside it', () => {
		const journal = new Journal();
		journal.confirm('change /1', answer('done'));
		for (const attempt of [2, 3]) {
			journal.startOver();
			// Another step comes first in this attempt.
			journal.confirm(`empty ${attempt} /1`, answer('emptied'));
			expect(journal.answerOf('change /2')).toBeUndefined();
			const known = journal.answerOf('change /1');
			expect(known?.text).toBe('done');
			if (known) journal.confirm('change /1', known);
		}
		expect(journal.count).toBe(3);
	});

	it('equal steps are told apart by their order, and other steps by their names', () => {
		const journal = new Journal();
		for (const text of ['first', 'second']) journal.confirm('change /1', answer(text));
		journal.startOver();
		expect(journal.answerOf('change /2')).toBeUndefined();
		const texts = [1, 2].map(() => {
			const known = journal.answerOf('change /1');
			if (known) journal.confirm('change /1', known);
			return known?.text;
		});
		expect(texts).toEqual(['first', 'second']);
		expect([journal.answerOf('change /1'), journal.count]).toEqual([undefined, 2]);
	});
});
