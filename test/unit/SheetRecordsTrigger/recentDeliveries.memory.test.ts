import { clearProcessState } from '../../../nodes/api/http/processState';
import { atOnce } from '../../../nodes/api/json/jsonReading';
import {
	RecentDeliveries,
	noComparison,
	restartMemory,
} from '../../../nodes/SheetRecordsTrigger/recentDeliveries';

const records = Array.from({ length: 2_000 }, (_, index) => ({
	recordId: `${index + 1}`,
	content: new Map([['1000001', `Text ${index}`]]),
}));

/** Delivers 2,000 records to a node, and returns whether the node knows all of them from an earlier delivery. */
function deliver(node: string, at = 1_000): boolean {
	const staticData = staticDataOf.get(node) ?? {};
	if (!staticDataOf.has(node)) restartMemory(node, staticData);
	staticDataOf.set(node, staticData);
	const recent = new RecentDeliveries(node, staticData, { ...noComparison, repeats: true });
	const isRepeat = atOnce(recent.noteDelivery({ event: 'UPDATE', records }, at));
	recent.store();
	return isRepeat;
}
const staticDataOf = new Map<string, Record<string, never>>();

afterEach(() => {
	staticDataOf.clear();
	clearProcessState();
});

it('nodes that together remember more than 100,000 records forget the deliveries to the node that waits longest', () => {
	for (let node = 0; node < 50; node++) deliver(`node ${node}`);
	// After another delivery to the oldest node, a later node waits longest.
	expect(deliver('node 0', 2_000)).toBe(true);
	deliver('node 50', 3_000);
	expect(deliver('node 0', 4_000)).toBe(true);
	expect(deliver('node 49', 4_000)).toBe(true);
	// It starts its workflow again, and remembers the delivery from then on.
	expect(deliver('node 1', 4_000)).toBe(false);
	expect(deliver('node 1', 5_000)).toBe(true);
});

it('deliveries that this process remembers beside those of other processes count, too', () => {
	const shared = { storedBy: 'several processes' };
	const receive = (node: string, at: number) => {
		// Another process has overwritten the stored deliveries.
		const recent = new RecentDeliveries(node, { ...shared }, { ...noComparison, repeats: true });
		const isRepeat = atOnce(recent.noteDelivery({ event: 'UPDATE', records }, at));
		recent.store();
		return isRepeat;
	};
	for (let node = 0; node <= 50; node++) receive(`node ${node}`, 1_000);
	expect(receive('node 50', 2_000)).toBe(true);
	expect(receive('node 0', 2_000)).toBe(false);
});
