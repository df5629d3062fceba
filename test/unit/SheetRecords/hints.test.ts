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
