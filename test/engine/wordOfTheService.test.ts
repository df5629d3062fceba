import { orders } from '../service';
import { onOrder, useRecordTestbed } from './recordTestbed';

const testbed = useRecordTestbed();

/** Error response with the word canceled. n8n treats an execution as canceled if the message of its error contains this word. */
const refusal = { status: 'INVALID', code: 202, msg: 'A canceled order stays canceled' };

it('an error response with the word canceled is an error like any other, with the message of the service', async () => {
	const when = ({ method }: { method: string }) => method === 'POST';
	testbed.inject({ kind: 'body', body: JSON.stringify(refusal), when });
	const result = await testbed.runById({
		...onOrder('update', 5),
		inputMode: 'json',
		recordJson: JSON.stringify({ [orders.fields.status]: 'Open' }),
	});
	expect(result.status).toBe('error');
	expect(result.error?.message).toBe('The record was not saved: A cancelled order stays cancelled');
	expect(result.error?.description).toBe(
		"The service gave code 202. Correct the value, or change the field's validation in the sheet.",
	);
	expect(JSON.stringify(result.error)).toContain(refusal.msg);
});
