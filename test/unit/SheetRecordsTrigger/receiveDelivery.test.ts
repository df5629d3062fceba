import { receiveDelivery } from '../../../nodes/SheetRecordsTrigger/receiveDelivery';
import { fakeContext } from './fakeContext';

/** A request as n8n passes it on: n8n has read the bodies of known types, and drops that of a multipart form. */
const body = '["5"]';
const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'Multipart/form-data; boundary=x' };

it.each([
	{ what: 'n8n has read', headers: json, rawBody: body, canRead: true, reads: 0, status: 200 },
	{ what: 'n8n has not read', headers: {}, canRead: true, reads: 1, status: 200 },
	{ what: 'that breaks off', headers: json, canRead: false, reads: 1, status: 400 },
	{ what: 'of a form', headers: form, canRead: true, reads: 0, status: 400 },
])(
	'a body $what is read $reads times, and answered with $status',
	async ({ headers, rawBody, canRead, reads, status }) => {
		const answers: number[] = [];
		const parameters = {
			...{ authentication: 'apiKey', sheet: 'sales/1', events: ['UPDATE'], filters: {} },
			...{ verification: 'off', options: { fieldKeys: 'id' } },
		};
		const context = fakeContext({
			...{ parameters, staticData: {}, body },
			onAnswer: (answered) => answers.push(answered),
			answer: async () => await Promise.resolve({}),
		});
		const request = {
			headers,
			rawBody: rawBody === undefined ? undefined : Buffer.from(rawBody),
			readRawBody: jest.fn(async () => {
				if (!canRead) throw new Error('aborted');
				request.rawBody = await Promise.resolve(Buffer.from(body));
			}),
		};
		await receiveDelivery(Object.assign(context, { getRequestObject: () => request }));
		expect(request.readRawBody).toHaveBeenCalledTimes(reads);
		expect(answers).toEqual([status]);
	},
);
