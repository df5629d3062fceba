import type { Client } from '../../../../nodes/api/http/client';
import type { FilePart } from '../../../../nodes/api/values/formBody';
import { FakeService, type FakeAnswer } from '../http/fakeService';

export const record = { sheet: { folders: ['sales'], sheetIndex: 1 }, recordId: '5' };
export const file: FilePart = {
	...{ name: 'a.txt', type: 'text/plain', size: 0 },
	stream: async function* () {},
};

/** Returns the content of a record with these rows in its subtable 20. */
export const withRows = (rows: object) => ({ 1: 'a', _subtable_20: rows });

/** A service with one record. Reads return its contents in order, writes get the answers in order. */
export class RowService {
	/** Bodies of the received writes. */
	readonly writes: unknown[] = [];
	reads = 0;

	/** @param contents contents of the record, one per read; the last one is repeated */
	constructor(
		private readonly contents: readonly unknown[],
		private readonly answers: FakeAnswer[],
	) {}

	async connect(): Promise<Client> {
		const service = new FakeService(({ method, body }) => {
			if (method === 'GET') return this.answerRead();
			this.writes.push(typeof body === 'string' ? JSON.parse(body) : body);
			return this.answers[this.writes.length - 1] ?? { status: 500 };
		});
		return await service.connect();
	}

	private answerRead(): FakeAnswer {
		const content = this.contents[Math.min(this.reads++, this.contents.length - 1)];
		return content === undefined ? { status: 403 } : { body: { 5: content } };
	}
}

/** Answers a write with SUCCESS, and with the saved record if given. */
export const saved = (data?: object): FakeAnswer => ({
	body: { status: 'SUCCESS', svcId: 5, ...(data && { data }) },
});

export const refused = (code = 202): FakeAnswer => ({
	body: { status: 'ERROR', code, msg: 'No' },
});
