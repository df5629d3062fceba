import { sleep } from 'n8n-workflow';
import type { Fault } from '../../service';
import { readOrder, session } from '../operations';
import { useRecordTestbed } from '../recordTestbed';
import type { CredentialStore } from '../runner';
import { pressTest, sessionType, storeOf } from './pressTest';

const testbed = useRecordTestbed();
const password = 'not the password';

const run = (credentialStore: CredentialStore, items = 1) =>
	testbed.runAll({ ...session, ...readOrder() }, Array(items).fill({}), { credentialStore });

const atLogin: Pick<Fault, 'when'> = { when: ({ path }) => path === '/AUTH' };

it('a rejected login is not repeated for each item: items fail at once with the reason', async () => {
	const { store } = storeOf(testbed, { password });
	const { errorItems } = await run(store, 30);
	expect(testbed.logins.length).toBeLessThanOrEqual(2);
	expect(errorItems).toHaveLength(30);
	const loginError = /did not accept the e-mail or the password.*Check e-mail and password/;
	for (const [item, { json, pairedItem }] of errorItems.entries()) {
		expect(pairedItem).toEqual({ item });
		expect(json.error).toMatch(loginError);
	}
	expect(errorItems.at(-1)?.json.error).toMatch(/No login is tried for another \d+ s, unless/);
});

it.each([301, 302])(
	'a login with the answer of an ended session (code %d) is a rejected login',
	async (code) => {
		const body = `{"status":"ERROR","code":${code},"msg":"Login failed"}`;
		testbed.inject({ ...atLogin, kind: 'body', body, times: Infinity });
		const { store } = storeOf(testbed);
		const { errorItems } = await run(store, 30);
		expect(testbed.logins.length).toBeLessThanOrEqual(2);
		expect(errorItems).toHaveLength(30);
		expect(errorItems[0]?.json.error).toMatch(/did not accept the login: .*Login failed/);
		const { message } = await pressTest(testbed, sessionType);
		expect(message).toMatch(/does not accept the e-mail or the password/);
	},
);

it('a run logs in at most twice, regardless of its duration', async () => {
	let reads = 0;
	testbed.inject({
		kind: 'status',
		status: 429,
		headers: { 'retry-after': '60' },
		times: Infinity,
		when: ({ path }) => path !== '/AUTH' && reads++ % 2 === 0,
	});
	const wrong = testbed.sessionCredentials('member', { password });
	const result = await testbed.runAll(
		readOrder({ authentication: '={{ $json.by }}' }),
		Array(5)
			.fill([{ by: 'session' }, { by: 'apiKey' }])
			.flat(),
		{ credentials: { ...testbed.credentials(), ...wrong } },
	);
	expect([result.items.length, result.errorItems.length]).toEqual([5, 5]);
	expect(testbed.logins).toHaveLength(2);
});

it('executions in each minute log in with growing pauses, at most fifteen times per hour', async () => {
	const { store } = storeOf(testbed, { password });
	const after: number[] = [];
	for (let minutes = 0; minutes < 60; minutes++) {
		await run(store);
		after.push(testbed.logins.length);
		await sleep(60_000);
	}
	expect(after[0]).toBe(1);
	expect(after.at(-1)).toBeGreaterThan(5);
	expect(after.at(-1)).toBeLessThanOrEqual(15);
});

it('a changed credential logs in at once', async () => {
	const { store, id } = storeOf(testbed, { password });
	await run(store);
	store.edit(id, sessionType, { password: testbed.service.identities.member.password });
	const { items } = await run(store);
	expect(items).toHaveLength(1);
	expect(testbed.logins).toHaveLength(2);
});

it('the connection test logs in at once, and so does every run after it', async () => {
	const { store } = storeOf(testbed);
	testbed.inject({ kind: 'body', body: '-1', ...atLogin });
	await run(store);
	await run(store);
	expect(testbed.logins).toHaveLength(1);
	expect(await pressTest(testbed, sessionType)).toMatchObject({ status: 'OK' });
	const { items } = await run(store);
	expect(items).toHaveLength(1);
	expect(testbed.logins).toHaveLength(3);
});
