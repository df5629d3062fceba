import { startUrlImport } from '../../../nodes/api/actions';
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
