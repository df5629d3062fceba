import fc from 'fast-check';
import {
	submitMassOperation,
	type MassOperation,
} from '../../../../nodes/api/tasks/massOperations';
import { FakeService } from '../http/fakeService';

const orders = { folders: ['sales'], sheetIndex: 1 };
const lock: MassOperation = { type: 'massLock', body: { action: 'lock' } };

it('every address is shorter than 7,500 characters and contains each ID once, with folder names of any length', async () => {
	const folders = fc.array(fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }), {
		minLength: 1,
		maxLength: 8,
	});
	const ids = fc.uniqueArray(fc.integer({ min: 0, max: 1e12 }).map(String), {
		minLength: 1,
		maxLength: 1500,
	});
	await fc.assert(
		fc.asyncProperty(folders, ids, async (names, recordIds) => {
			const service = new FakeService(() => ({ body: { taskId: 'a' } }));
			const client = await service.connect();
			const sheet = { folders: names, sheetIndex: 7 };
			await submitMassOperation(client, sheet, {
				...lock,
				selection: { kind: 'records', recordIds },
			});
			const urls = service.requests.map(({ url }) => url);
			for (const { href } of urls) expect(href.length).toBeLessThan(7500);
			expect(urls.flatMap(({ searchParams }) => searchParams.getAll('recordId'))).toEqual(
				recordIds,
			);
		}),
		{ numRuns: 30 },
	);
});

it('conditions may fill an address to the last character, and no further', async () => {
	const service = new FakeService(() => ({ body: { taskId: 'a' } }));
	const client = await service.connect();
	const submitted = async (length: number) =>
		await submitMassOperation(client, orders, {
			...lock,
			selection: {
				kind: 'filters',
				where: [{ fieldId: '7', operator: 'eq', value: 'x'.repeat(length) }],
			},
		});
	await submitted(1);
	const room = 7_499 - (service.requests[0]?.url.href.length ?? 0);
	await submitted(room + 1);
	expect(service.requests[1]?.url.href).toHaveLength(7_499);
	await expect(submitted(room + 2)).rejects.toThrow('too long for one request');
	expect(service.requests).toHaveLength(2);
});

it('a cancelled run submits no further part, and ends with the reason', async () => {
	const controller = new AbortController();
	const service = new FakeService(() => {
		controller.abort(new Error('Cancelled by a person'));
		return { body: { status: 'ERROR', code: 202, msg: 'No' } };
	});
	const client = await service.connect({ signal: controller.signal });
	const recordIds = Array.from({ length: 2_000 }, (_, index) => String(1_000_000 + index));
	const selection = { kind: 'records', recordIds } as const;
	await expect(
		submitMassOperation(client, orders, { ...lock, selection }, { continuesAfterFailure: true }),
	).rejects.toThrow('Cancelled by a person');
	expect(service.requests).toHaveLength(1);
});
