import fc from 'fast-check';
import { redirectTarget } from '../../../nodes/service/redirect';
import { ServiceError } from '../../../nodes/wire/serviceError';
import { FakeService } from './fakeService';
import type { FakeAnswer } from './fakeService';

const from = 'https://host:8443/acme/sales/1?api&where=1,eq,a%252Cb&sid=abc';
const target = (location: string | undefined, status = 302, method = 'GET') =>
	redirectTarget({ status, headers: location === undefined ? {} : { location } }, method, from);

describe('a redirect', () => {
	it.each([
		['https://host:8443/other?api', 'https://host:8443/other?api'],
		['/other?api&where=1,eq,a%252Cb', 'https://host:8443/other?api&where=1,eq,a%252Cb'],
		['2?api', 'https://host:8443/acme/sales/2?api'],
		['?api&x', 'https://host:8443/acme/sales/1?api&x'],
		['//host:8443/other', 'https://host:8443/other'],
		['HTTPS://HOST:8443/other#top', 'https://host:8443/other'],
		['https://user:word@host:8443/other', 'https://host:8443/other'],
	])('within the service is followed: %s', (location, url) => {
		expect(target(location)).toBe(url);
	});

	it.each([
		['/other?api&sid=abc', 'https://host:8443/other?api'],
		['/other?APIKey=abc&api', 'https://host:8443/other?api'],
		['/other?apikey=abc&SID=abc', 'https://host:8443/other'],
		['/other?inside=1&sid', 'https://host:8443/other?inside=1'],
	])('leaves identity to n8n, which adds it to each request: %s', (location, url) => {
		expect(target(location)).toBe(url);
	});

	it.each([301, 302, 303, 307, 308])('may have the status %d', (status) => {
		expect(target('/other', status)).toBe('https://host:8443/other');
	});

	it('is none without a location or with another status', () => {
		for (const status of [200, 201, 304, 400, 404, 500])
			expect(target('/other', status)).toBeUndefined();
		expect(target(undefined)).toBeUndefined();
	});

	it.each([
		...['https://evil.example/', '//evil.example/', '\\\\evil.example', 'http://host:8443/acme'],
		...['https://host/acme', 'https://host:8443@evil.example/', 'https://evil.example:8443/'],
		...[
			'https://host:8443.evil.example/',
			'\t//evil.example',
			'https:\\\\evil.example',
			'ftp://host:8443/',
		],
		...['javascript:alert(1)', 'data:text/plain,x', 'https://', 'https://[::1'],
	])('to another origin is refused: %s', (location) => {
		expect(() => target(location)).toThrow(ServiceError);
		expect(() => target(location, 307, 'POST')).toThrow(ServiceError);
	});

	it.each([
		['https://evil.example/acme', /another host, https:\/\/evil\.example$/],
		['https://host/acme', /another host, https:\/\/host$/],
		['http://host/acme', /an address without encryption, http:\/\/host$/],
		['http://host:8443/acme', /an address without encryption, http:\/\/host:8443$/],
		['http://evil.example/acme', /another host, http:\/\/evil\.example$/],
		['https://', /another host, which it does not name$/],
	])('to another origin tells what it is: %s', (location, says) => {
		expect(() => target(location)).toThrow(says);
	});

	it('never leads to another origin', () => {
		const pieces = fc.constantFrom(
			...[
				'https:',
				'http:',
				'/',
				'//',
				'\\',
				'@',
				':',
				'evil.example',
				'host',
				'host:8443',
				'8443',
				'?',
				'#',
				'\t',
				' ',
				'..',
			],
		);
		fc.assert(
			fc.property(fc.string({ unit: pieces, maxLength: 8 }), (location) => {
				try {
					const url = target(location);
					expect(url?.startsWith('https://host:8443/')).toBe(true);
					expect(new URL(url ?? '').origin).toBe('https://host:8443');
				} catch (error) {
					expect(error).toBeInstanceOf(ServiceError);
				}
			}),
			{ numRuns: 5000 },
		);
	});

	it('of a write is refused unless it stays a write', () => {
		for (const status of [301, 302, 303]) {
			expect(() => target('/other', status, 'POST')).toThrow('does not confirm the change');
			expect(() => target('/other', status, 'DELETE')).toThrow('does not confirm the change');
		}
		for (const status of [307, 308])
			expect(target('/other', status, 'POST')).toBe('https://host:8443/other');
	});

	it('that is refused names the host and nothing else of the address', () => {
		expect(() => target('https://evil.example/path?sid=abc')).toThrow(/evil\.example$/);
	});
});

const moved = (location: string, status = 302): FakeAnswer => ({
	status,
	headers: { Location: location },
});
const request = { path: '/acme/sales/1', query: 'api&limit=5' };

describe('the client', () => {
	it('follows redirects within the service', async () => {
		const service = new FakeService(({ url }) =>
			url.pathname === '/new/2'
				? { body: { 1: {} } }
				: moved(url.pathname === '/new/1' ? '2?api' : '/new/1?api'),
		);
		const client = await service.connect();
		await expect(client.read(request)).resolves.toEqual(new Map([['1', new Map()]]));
		expect(service.requests.map(({ url }) => url.href)).toEqual([
			'https://host/acme/sales/1?api&limit=5',
			'https://host/new/1?api',
			'https://host/new/2?api',
		]);
	});

	it('sends a write on with its body when the service says so', async () => {
		const service = new FakeService(({ url }) =>
			url.pathname === '/new' ? { body: { status: 'SUCCESS' } } : moved('/new', 307),
		);
		const client = await service.connect();
		await client.write({ ...request, method: 'POST', body: '{"7":"x"}' });
		expect(service.requests.map(({ method, body }) => [method, body])).toEqual([
			['POST', '{"7":"x"}'],
			['POST', '{"7":"x"}'],
		]);
	});

	it('goes to no other host, not even to ask', async () => {
		const service = new FakeService(() => moved('https://evil.example/'));
		const client = await service.connect();
		await expect(client.read(request)).rejects.toMatchObject({
			kind: 'redirected',
			details: { status: 302 },
		});
		expect(service.requests).toHaveLength(1);
	});

	it('gives up when it is sent on again and again', async () => {
		const service = new FakeService(() => moved('/round'));
		const client = await service.connect();
		await expect(client.read(request)).rejects.toMatchObject({
			kind: 'redirected',
			message: 'The service sends this request on again and again',
		});
		expect(service.requests).toHaveLength(6);
	});
});
