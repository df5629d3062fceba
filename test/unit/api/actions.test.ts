import { runActionButton, startUrlImport } from '../../../nodes/api/actions';
import { Client } from '../../../nodes/api/http/client';
import { failureKinds, ServiceError } from '../../../nodes/api/http/serviceError';
import type { FailureKind } from '../../../nodes/api/http/serviceError';
import { FakeService } from './http/fakeService';

it.each(Object.keys(failureKinds) as FailureKind[])(
	'a refused import names its requirements only if they may be missing: %s',
	async (kind) => {
		const mayLackRight = ['noAccess', 'unexpected', 'refused'].includes(kind);
		const client = await new FakeService(() => ({})).connect();
		const send = jest.spyOn(Client.prototype, 'write');
		for (const remedy of [undefined, 'checkSheet'] as const) {
			send.mockRejectedValue(new ServiceError({ kind, message: 'No', description: 'Why', remedy }));
			const imported = startUrlImport(client, { folders: ['sales'], sheetIndex: 1 });
			const isNamed = mayLackRight && remedy === undefined;
			const description = isNamed ? expect.stringContaining('SYSAdmin') : 'Why';
			await expect(imported).rejects.toMatchObject({ details: { kind, remedy, description } });
		}
		send.mockRestore();
	},
);

describe('the answer to a button or an import', () => {
	const sheet = { folders: ['sales'], sheetIndex: 1 };

	it.each([
		{ status: 'WARN', msg: 'Mail not sent.', warning: undefined, warns: 'Mail not sent.' },
		{
			status: 'WARN',
			msg: 'Mail not sent',
			warning: 'No stock.',
			warns: 'Mail not sent. No stock.',
		},
		{ status: 'WARN', msg: 'No stock.', warning: 'No stock.', warns: 'No stock.' },
		{ status: 'WARN', warns: 'The service answered with a warning without words.' },
		{ status: 'SUCCESS', msg: 'Shipped.', warning: 'No stock.', warns: 'No stock.' },
		{ status: 'SUCCESS', msg: 'Shipped.', warns: undefined },
	])('$status with the words $msg and $warning warns of $warns', async ({ warns, ...body }) => {
		const client = await new FakeService(() => ({ body })).connect();
		const result = await runActionButton(client, { sheet, recordId: '5' }, '4');
		expect(result).toEqual({ message: body.msg ?? '', ...(warns && { warning: warns }) });
		if (body.status !== 'SUCCESS') return;
		const importing = await new FakeService(() => ({ body })).connect();
		expect(await startUrlImport(importing, sheet)).toEqual(result);
	});
});
