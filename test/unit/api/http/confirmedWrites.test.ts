import { ConfirmedWrites } from '../../../../nodes/api/http/confirmedWrites';

const answer = (text: string) => ({ status: 200, headers: {}, text });

describe('confirmed writes of an item', () => {
	it('a write that was not confirmed is sent in the next attempt', () => {
		const writes = new ConfirmedWrites();
		expect(writes.next('change /1')).toBeUndefined();
		writes.startOver();
		expect([writes.next('change /1'), writes.count]).toEqual([undefined, 0]);
	});

	it('a confirmed write is not sent in the next attempt, although an equal write was rejected before it', () => {
		const writes = new ConfirmedWrites();
		// The first write is rejected, and the second one is confirmed.
		writes.next('change /1');
		writes.confirm('change /1', answer('done'));
		writes.startOver();
		expect(writes.next('change /1')?.text).toBe('done');
	});

	it('equal steps are told apart by their order, and other steps by their names', () => {
		const writes = new ConfirmedWrites();
		for (const text of ['first', 'second']) writes.confirm('change /1', answer(text));
		writes.startOver();
		expect(writes.next('change /2')).toBeUndefined();
		const texts = [1, 2].map(() => {
			const known = writes.next('change /1');
			if (known) writes.confirm('change /1', known);
			return known?.text;
		});
		expect(texts).toEqual(['first', 'second']);
		expect([writes.next('change /1'), writes.count]).toEqual([undefined, 2]);
	});
});
