import { Client } from '../../../nodes/api/http/client';
import { clearProcessState } from '../../../nodes/api/http/processState';
import { failureKinds, ServiceError } from '../../../nodes/api/http/serviceError';
import type { FailureKind } from '../../../nodes/api/http/serviceError';
import { readOptionsBy } from '../../../nodes/api/read/readOptions';
import { getRecord } from '../../../nodes/api/read/records';
import { kindOfEquality } from '../../../nodes/api/sheet/kinds/equality';
import { loadNewestRecords } from '../../../nodes/api/sheet/sources/loadFields';
import { FakeService } from './http/fakeService';

const sheet = { folders: ['sales'], sheetIndex: 1 };
const kinds = Object.keys(failureKinds) as FailureKind[];
const refusals = ['noAccess', 'unexpected', 'refused'];

/** Reads that do without the answer if the user may not read: the failures, and the result in place of the answer. */
const reads: ReadonlyArray<
	[what: string, excepted: string[], read: (client: Client) => Promise<unknown>, result: unknown]
> = [
	[
		'the kind of equality',
		refusals,
		async (client) => (await kindOfEquality(client, sheet, '1000001', '612')).name,
		'text',
	],
	['the newest records', refusals, async (client) => await loadNewestRecords(client, sheet), []],
	[
		'a record',
		['notFound'],
		async (client) => await getRecord(client, { sheet, recordId: '5' }, readOptionsBy('EID')),
		undefined,
	],
];

it.each(reads)(
	'a read of %s fails with every failure but these: %j',
	async (_, excepted, read, result) => {
		const service = new FakeService(() => ({}));
		const send = jest.spyOn(Client.prototype, 'read');
		for (const kind of kinds) {
			clearProcessState();
			const failure = new ServiceError({ kind, message: kind });
			send.mockRejectedValue(failure);
			const outcome = await read(await service.connect()).catch((error: unknown) => error);
			expect([kind, outcome]).toEqual([kind, excepted.includes(kind) ? result : failure]);
		}
		send.mockRestore();
	},
);
