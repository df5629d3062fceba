import { setTimeout as wait } from 'node:timers/promises';
import { withKey } from '../../../../nodes/api/http/connection';
import type { Host } from '../../../../nodes/api/http/call';
import { Client } from '../../../../nodes/api/http/client';
import { listPages } from '../../../../nodes/api/read/pages';
import { plainReadOptions } from '../../../../nodes/api/read/readOptions';
import { recordsIn } from '../../../../nodes/api/read/records';
import { servicePublicKeys } from '../../../../nodes/api/webhooks/publicKey';
import { verifyDelivery } from '../../../../nodes/api/webhooks/verifyDelivery';
import { MatchLookUp } from '../../../../nodes/api/write/match';
import { noChanges } from '../../../../nodes/api/write/recordContent';
import { createRecord, updateRecord } from '../../../../nodes/api/write/records';

const { credential, sheet, field, values, delivery } = JSON.parse(process.argv[2] ?? '');

const sleep: Host['sleep'] = async (milliseconds, signal) =>
	await wait(milliseconds, undefined, { signal });

const send: Host['send'] = async (request, { isPublic }) => {
	const { abortSignal: signal, method, url } = request;
	const { headers = {} } = isPublic ? request : withKey(request, credential);
	const body = typeof request.body === 'string' ? request.body : undefined;
	const sent = new Headers();
	for (const [name, value] of Object.entries(headers)) sent.set(name, String(value));
	const answer = await fetch(url, { method, headers: sent, body, signal, redirect: 'manual' });
	const bytes = new Uint8Array(await answer.arrayBuffer());
	return { statusCode: answer.status, headers: Object.fromEntries(answer.headers), body: bytes };
};

/** Lists a sheet, updates or creates records by the values of a field, and verifies a delivery. */
async function main(): Promise<void> {
	const host = { sleep, send, credential: async () => credential };
	const client = await Client.connect(host, 'sheetRecordsApi');

	let listed = 0;
	const list = { sheet, where: [], reading: plainReadOptions('EID') };
	for await (const page of listPages(client, list, recordsIn)) listed += page.length;

	const written: string[] = [];
	const matches = new MatchLookUp(client, sheet, [field]);
	for (const key of values) matches.add(key);
	for (const key of values) {
		const changes = { ...noChanges(), fields: new Map([[field, key[0]]]) };
		const content = { changes, files: [], kinds: new Map() };
		const create = async () => await createRecord(client, sheet, content, {});
		const [recordId] = await matches.recordIds(key);
		if (recordId) await updateRecord(client, { sheet, recordId }, content, {});
		written.push(recordId ?? (await matches.create(key, create)).recordId);
	}

	const keys = servicePublicKeys(client);
	const owner = { account: credential.account, sheet, keys };
	const receiver = { ...owner, verification: 'require' } as const;
	const { verified } = await verifyDelivery(Buffer.from(delivery), receiver);
	const ofN8n = Object.keys(require.cache).filter((path) => path.includes('/n8n-'));
	console.log(JSON.stringify({ listed, written, verified, ofN8n }));
}

void main();
