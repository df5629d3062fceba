import { createServer } from 'node:net';

import { orders } from '../../service';
import { listenAtNewPort } from '../../service/newPort';
import { sheet, useRecordTestbed } from '../recordTestbed';
import { asJson } from './recordValues';

const testbed = useRecordTestbed();

const create = {
	operation: 'create',
	sheet: sheet(orders),
	...asJson({ [orders.fields.customerNumber]: 'C-0001' }),
};
const unknown = 'It is not known whether the change was made';

it('a service that hangs up before the connection is secure is tried again', async () => {
	let connections = 0;
	const server = createServer((socket) => {
		connections += 1;
		socket.destroy();
		if (connections === 2) server.close();
	});
	const port = await listenAtNewPort(server);
	try {
		const credentials = testbed.credentials('member', { baseUrl: `https://localhost:${port}` });
		const result = await testbed.run(create, [{}], { credentials });
		expect(result.error?.message).toContain('cannot be reached');
		expect(result.error?.description).not.toContain(unknown);
		expect(connections).toBe(2);
	} finally {
		server.close();
	}
});
