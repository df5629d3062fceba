import { comparisonOf } from '../../../nodes/SheetRecordsTrigger/recentDeliveries';
import type { TriggerSetup } from '../../../nodes/SheetRecordsTrigger/triggerParameters';

type Settings = Partial<TriggerSetup['settings']>;

interface Row {
	settings: Settings;
	watched?: string[];
	outcome: string;
}

/** Returns what a node with these settings compares, as words. */
function compared(settings: Settings, watched: readonly string[] = []): string {
	const comparison = comparisonOf(settings as TriggerSetup['settings'], watched);
	if (!comparison) return 'nothing';
	const { repeats, content } = comparison;
	const words = [repeats && 'repeats', content && 'content', ...comparison.watched];
	return words.filter(Boolean).join(' and ') || 'empty';
}

it.each<Row>([
	{ settings: { events: ['UPDATE'] }, outcome: 'nothing' },
	{ settings: { events: ['UPDATE'], skipRepeats: true }, outcome: 'repeats' },
	{ settings: { events: ['UPDATE'], skipUnchanged: true }, outcome: 'content' },
	{ settings: { events: ['CREATE'], skipUnchanged: true }, outcome: 'nothing' },
	{ settings: { events: ['CREATE'], skipUnchanged: true, fetchRecord: true }, outcome: 'content' },
	{ settings: { events: ['CREATE'], fetchRecord: true }, outcome: 'nothing' },
	{ settings: { events: ['UPDATE'] }, watched: ['1000001'], outcome: '1000001' },
	{
		settings: { events: ['UPDATE'], skipRepeats: true, skipUnchanged: true },
		watched: ['1000001'],
		outcome: 'repeats and content and 1000001',
	},
])('a node with $settings and the watched fields $watched compares $outcome', (row) => {
	expect(compared(row.settings, row.watched)).toBe(row.outcome);
});
