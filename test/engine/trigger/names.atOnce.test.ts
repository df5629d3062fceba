import { useRealClock } from '../clock';
import { troubles, useBusyService } from './busyService';
import { passMinutes, useTriggerTestbed } from './triggerTestbed';

useRealClock();
const trigger = useTriggerTestbed(30);
const refuseNames = useBusyService(trigger);

it.each(troubles)(
	'a delivery with known field names is emitted at once, with names, while the service answers with $trouble',
	async ({ fault }) => {
		const listener = await trigger.listenAsItIs({ verification: 'off' });
		await listener.post(trigger.body([5]));
		passMinutes(60);
		refuseNames(fault);
		const startTime = performance.now();
		await listener.post(trigger.body([6]));
		// A delivery that waits for names waits 2 s.
		expect(performance.now() - startTime).toBeLessThan(1_900);
		const item = (await listener.items()).at(-1);
		trigger.service.faults.clear();
		expect(item).toHaveProperty('record.Reference', 'REF-6');
		expect(item).not.toHaveProperty('_warning');
	},
);
