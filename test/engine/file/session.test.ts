import { orders } from '../../service';
import { useRecordTestbed } from '../recordTestbed';
import { download } from './fileTestbed';

const testbed = useRecordTestbed();

beforeEach(() => {
	testbed.service.switches.filesNeedSession = true;
});

const contract = (id = 50) => testbed.order(id).text(orders.fields.contract);
const requestsSeen = () => testbed.service.requests.all();

describe('files that require a session', () => {
	it.each(['header', 'query'])(
		'files that require a session are fetched with the key in the %s',
		async (apiKeyIn) => {
			const result = await testbed.run(
				download(contract()),
				[{}],
				testbed.as('member', { apiKeyIn }),
			);
			expect(result.items).toMatchObject([{ json: { fileNames: ['contract 50@acme.pdf'] } }]);
			expect(requestsSeen().map(({ path }) => path)).toEqual([
				'/sims/file.jsp',
				'/acme',
				'/sims/file.jsp',
			]);
		},
	);

	it('a file in place of which the service sends its login page is fetched with a session', async () => {
		testbed.inject({
			kind: 'body',
			body: '<!DOCTYPE html><html><form action="/login"><input type="password"></form></html>',
			headers: { 'content-type': 'text/html' },
			when: ({ path, headers }) => path === '/sims/file.jsp' && headers.cookie === undefined,
		});
		const result = await testbed.run(download(contract()));
		expect(result.items).toMatchObject([{ json: { fileNames: ['contract 50@acme.pdf'] } }]);
		expect(requestsSeen().map(({ path }) => path)).toEqual([
			'/sims/file.jsp',
			'/acme',
			'/sims/file.jsp',
		]);
	});

	it('one session serves all files of a run', async () => {
		const items = [50, 100, 150].map((id) => ({ file: contract(id) }));
		const result = await testbed.run(download('={{ $json.file }}'), items);
		expect(result.items).toHaveLength(3);
		expect(requestsSeen().filter(({ path }) => path === '/acme')).toHaveLength(1);
		expect(requestsSeen()).toHaveLength(5);
	});

	it('a new session is opened when the first one ends', async () => {
		testbed.service.switches.sessionLifetimeRequests = 1;
		const items = [50, 100].map((id) => ({ file: contract(id) }));
		const result = await testbed.run(download('={{ $json.file }}'), items);
		expect(result.items).toHaveLength(2);
	});

	it('several session cookies are sent, and none is stored or shown', async () => {
		testbed.inject({
			kind: 'status',
			status: 200,
			headers: {
				'content-type': 'application/json',
				'set-cookie': 'AFFINITY=server-7-secret; Expires=Wed, 21 Oct 2099 07:28:00 GMT; Path=/',
			},
			body: '{}',
			when: ({ path }) => path === '/acme',
		});
		const result = await testbed.run(download(contract()));
		expect(requestsSeen().at(-1)?.headers.cookie).toBe('AFFINITY=server-7-secret');
		expect(result.recorded).not.toContain('server-7-secret');
	});

	it('a rejected file does not show the session that the service repeats', async () => {
		testbed.inject({
			kind: 'body',
			body: '{"status":"ERROR","code":202,"msg":"No file for session 0123456789ABCDEF"}',
			when: ({ headers }) => headers.cookie !== undefined,
		});
		testbed.inject({
			kind: 'body',
			body: '{}',
			headers: { 'set-cookie': 'JSESSIONID=0123456789ABCDEF; HttpOnly' },
			when: ({ path }) => path === '/acme',
		});
		const result = await testbed.run(download(contract()));
		expect(result.error?.message).toContain('What the service said is redacted');
		expect(result.recorded).not.toContain('0123456789ABCDEF');
	});

	it('the session of another read is used if the menu is refused', async () => {
		testbed.service.switches.menu = 'code106';
		const result = await testbed.run(download(contract()));
		expect(result.items).toMatchObject([{ json: { fileNames: ['contract 50@acme.pdf'] } }]);
		const list = '/api/http/integromatForms.jsp';
		expect(requestsSeen().map(({ path, status }) => [path, status])).toEqual(
			['/sims/file.jsp', '/acme', '/acme', list, '/sims/file.jsp'].map((path) => [path, 200]),
		);
	});

	it("the session of the menu is used although its key was first mistaken for a guest's", async () => {
		const asGuest = '{"status":"ERROR","code":106,"msg":"No access right."}';
		const when = ({ path }: { path: string }) => path === '/acme';
		const headers = { 'set-cookie': 'JSESSIONID=0123456789ABCDEF; HttpOnly' };
		testbed.inject({ kind: 'body', body: asGuest, headers, when });
		const result = await testbed.run(download(contract()));
		expect(result.items).toMatchObject([{ json: { fileNames: ['contract 50@acme.pdf'] } }]);
		expect(requestsSeen().map(({ path }) => path)).toEqual([
			...['/sims/file.jsp', '/acme', '/acme', '/sims/file.jsp'],
		]);
	});

	it('a file that requires a session is an error if the service opens none', async () => {
		Object.assign(testbed.service.switches, { menu: 'code106', picker: 'http404' });
		expect(await testbed.errorOf(download(contract()))).toContain('Authentication required');
		expect(requestsSeen().map(({ headers }) => headers.cookie)).toEqual(Array(4).fill(undefined));
	});
});
