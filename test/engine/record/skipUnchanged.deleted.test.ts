import { orders } from '../../service';
import { onOrder, useRecordTestbed } from '../recordTestbed';
import { asJson } from './recordValues';

const testbed = useRecordTestbed({ demoRecords: 5 });
const { description } = orders.fields;
const options = { skipUnchanged: true };
const update = { ...onOrder('update'), ...asJson('={{ $json.record }}'), options };

it('a record that is deleted between its comparison and the read of its output fails, and is not called unchanged', async () => {
	testbed.order(1).set(description, '[b]bold[/b]');
	// Rich text is compared as markup, so a second read returns the record as the output shows it.
	let isCompared = false;
	let isDeleted = false;
	testbed.service.beforeRequest(({ rawUrl }) => {
		if (rawUrl.includes('bbcode')) isCompared = true;
		else if (isCompared) isDeleted = testbed.orders.records.delete(1) || isDeleted;
	});
	const record = { [description]: '[b]bold[/b]' };
	const { errorItems, actions } = await testbed.runById(update, [{ id: 1, record }], {
		...testbed.as('admin'),
		onError: 'continueErrorOutput',
	});
	expect(isDeleted).toBe(true);
	expect(actions).toEqual([]);
	expect(errorItems).toHaveLength(1);
});
