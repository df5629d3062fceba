import { orders } from '../../service';
import { PollContext } from '../runner/core';
import { usePollingTestbed } from './pollingTestbed';

const polling = usePollingTestbed();
const { remark, status } = orders.fields;

/** Returns the parameters that polls evaluated more than once, in the order of their names. */
function evaluatedAgain(calls: ReadonlyArray<readonly unknown[]>): unknown[] {
	const names = calls.map(([name]) => name);
	return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))].sort();
}

it('a poll evaluates each parameter once, because the next result of an expression may differ', async () => {
	const poller = await polling.begun({ watchFields: [status] });
	polling.passMinutes(1);
	polling.people.edit(orders, 7, { [remark]: 'changed', [status]: 'Shipped' });
	const filters = { conditions: [{ field: remark, operator: 'like', value: 'changed' }] };
	const options = { onlyFields: [status, remark], numberFields: [] };
	poller.edit({ watchFields: [status, remark], filters, options });
	const evaluated = jest.spyOn(PollContext.prototype, 'getNodeParameter');
	const items = await poller.poll();
	expect(items).toMatchObject([{ recordId: 7, changedFields: ['Status'] }]);
	expect(evaluated.mock.calls.length).toBeGreaterThan(4);
	expect(evaluatedAgain(evaluated.mock.calls)).toEqual([]);
});
