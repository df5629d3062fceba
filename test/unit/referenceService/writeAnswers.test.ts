import { orders } from '../../service';
import { addressOf } from './client';
import { useService } from './useService';

const { service, client } = useService({ demoRecords: 5 });
const { customerNumber } = orders.fields;
const valid = { [customerNumber]: 'C-0007' };
const create = addressOf(orders);
const update = addressOf(orders, 5);

it('the answers to a create and an update contain the message and the warning set by the switches', async () => {
	Object.assign(service().switches, { writeMessage: '&nbsp;', writeWarning: 'A &amp; B' });
	for (const address of [create, update]) {
		expect((await client().postJson(address, valid)).json()).toMatchObject({
			status: 'SUCCESS',
			msg: '&nbsp;',
			warning: 'A &amp; B',
		});
	}
});
