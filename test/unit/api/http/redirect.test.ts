import { Readable } from 'node:stream';
import fc from 'fast-check';
import { followRedirects, redirectTarget } from '../../../../nodes/api/http/redirect';
import { ServiceError } from '../../../../nodes/api/http/serviceError';
import { runs } from '../../../amount';
import { thrown } from '../thrown';

const from = 'https://host:8443/acme/sales/1?api&where=1,eq,a%252Cb&sid=abc';
const target = (location: string, status = 302, method = 'GET') =>
	redirectTarget(location, status, method, from);

describe('a redirect', () => {
	it.each([
		['/other?api&where=1,eq,a%252Cb', 'https://host:8443/other?api&where=1,eq,a%252Cb'],
		['https://user:word@HOST:8443/other#top', 'https://host:8443/other'],
		['/other?apikey=abc&api&SID=abc', 'https://host:8443/other?api'],
	])(
		'a redirect within the service is followed, without the credentials that n8n adds: %s',
		(location, url) => {
			expect(target(location)).toBe(url);
		},
	);

	it('an answer without a location, or with another status, is not a redirect', async () => {
		const location = '/other';
		const otherStatuses = [200, 201, 299, 304, 400, 404, 500].map((status) => ({
			status,
			headers: { location },
		}));
		for (const head of [...otherStatuses, { status: 302, headers: {} }]) {
			const answer = { ...head, text: '' };
			expect(await followRedirects(async () => answer)({ url: from, request: {} })).toBe(answer);
		}
	});

	it.each([300, 301, 308, 399])(
		'an answer with status %i and a location is a redirect',
		async (status) => {
			const moved = { status, headers: { location: '/other' }, text: '' };
			const found = { status: 200, headers: {}, text: 'found' };
			const send = async ({ url }: { url: string }) =>
				await Promise.resolve(url === from ? moved : found);
			const answer = await followRedirects(send)({ url: from, request: {} });
			expect(answer).toEqual({ ...found, isRedirected: true });
		},
	);

	it('five redirects in a row are followed, and no more', async () => {
		const found = { status: 200, headers: {}, text: 'found' };
		const after = (count: number) => {
			let left = count;
			const moved = { status: 302, headers: { location: '/other' }, text: '' };
			return followRedirects(async () => await Promise.resolve(left-- > 0 ? moved : found));
		};
		const call = { url: from, request: {} };
		expect(await after(5)(call)).toEqual({ ...found, isRedirected: true });
		await expect(after(6)(call)).rejects.toThrow('again and again');
	});

	it('the body of a redirect is closed, because it is never read', async () => {
		const body = Readable.from(['moved']);
		const redirect = { status: 302, headers: { location: '/other' }, text: '', body };
		const found = { status: 200, headers: {}, text: 'found' };
		const answers = [redirect, found];
		const send = jest.fn(async () => answers.shift() ?? found);
		expect(await followRedirects(send)({ url: from, request: {} })).toEqual({
			...found,
			isRedirected: true,
		});
		expect(body.destroyed).toBe(true);
	});

	it.each([
		['https://host:8443@evil.example/acme?sid=abc', 'another host, https://evil.example'],
		['https://host/acme', 'another host, https://host'],
	])('a redirect to another origin is rejected: %s', (location, says) => {
		const message = `The service sends this request on to ${says}`;
		expect(() => target(location)).toThrow(new Error(message));
		expect(() => target(location, 307, 'POST')).toThrow(new Error(message));
	});

	it.each([
		['https://evil.example/a', 'GET', 'followAccount', ['https://evil.example']],
		['https://', 'GET', 'followAccount', ['which it does not name']],
		['/other', 'POST', 'checkAddress', undefined],
	] as const)(
		'the error for a redirect to %s of a %s names the setting to check, and what the service said',
		(location, method, remedy, quoted) => {
			const { kind, details } = thrown(ServiceError, () => target(location, 302, method));
			expect({ kind, remedy: details.remedy, quoted: details.quoted }).toEqual({
				kind: 'redirected',
				remedy,
				quoted,
			});
		},
	);

	it('parameters whose names only end like those of the authentication stay in the address', () => {
		expect(target('/a?maxapikey=1&Outsid=2&sid=3&APIKey&b=sid=')).toBe(
			'https://host:8443/a?maxapikey=1&Outsid=2&b=sid=',
		);
	});

	it('a redirect never leads to another origin', () => {
		const pieces = fc.constantFrom(
			...['https:', 'http:', '/', '//', '\\', '@', ':', 'evil.example', 'host', 'host:8443'],
			...['8443', '?', '#', '\t', ' ', '..'],
		);
		fc.assert(
			fc.property(fc.string({ unit: pieces, maxLength: 8 }), (location) => {
				try {
					const url = target(location);
					return new URL(url).origin === 'https://host:8443';
				} catch (error) {
					return error instanceof ServiceError;
				}
			}),
			{ numRuns: runs(1000, 5000) },
		);
	});

	it('a redirect of a write is rejected unless it stays a write', () => {
		for (const status of [301, 302, 303])
			expect(() => target('/other', status, 'POST')).toThrow('does not confirm the change');
		for (const status of [307, 308])
			expect(target('/other', status, 'POST')).toBe('https://host:8443/other');
	});
});
