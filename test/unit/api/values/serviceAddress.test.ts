import fc from 'fast-check';
import { requireServiceAddress, serviceOrigin } from '../../../../nodes/api/values/serviceAddress';
import { InputError } from '../../../../nodes/api/values/inputError';
import { amount } from '../../../amount';

describe("the service's address", () => {
	it.each([
		[' https://WWW.Example.com ', 'https://www.example.com'],
		['www.example.com', 'https://www.example.com'],
		['host:8443/acme', 'https://host:8443'],
		['https://host/acme/sales/1?x#y', 'https://host'],
	])('%j is %s', (baseUrl, origin) => {
		expect(serviceOrigin(baseUrl)).toBe(origin);
	});

	it.each(['http://host', 'HTTP://host', 'http:host'])('%s is refused: HTTPS only', (baseUrl) => {
		expect(() => serviceOrigin(baseUrl)).toThrow('HTTPS only');
	});

	it.each([
		...['', '//host', 'ftp://host', 'https:host', 'https://', 'https://https://host'],
		...['https://user@host', 'https://user:word@host', 'https://host\\evil', 'https://ho st'],
		...['https://host:99999', 'https://[::1', 'javascript:alert(1)'],
	])('%j is refused', (baseUrl) => {
		expect(() => serviceOrigin(baseUrl)).toThrow(InputError);
	});
});

const own = 'https://acme.example:8443';
const pieces = fc.constantFrom(
	...['https:', 'http:', 'HTTPS:', 'ftp:', 'data:', '/', '//', '\\', '\\\\', '@', ':', '.', '..'],
	...['evil.example', 'acme.example', 'acme.example:8443', '8443', '443', 'user:word', 'user'],
	...['?', '#', '?api', '%2f', '%40', '\t', '\n', '\r', ' ', 'ａ', '。', 'acme', 'localhost'],
);
const addresses = fc.oneof(
	fc.string({ unit: pieces, maxLength: 8 }),
	fc.string({ unit: pieces, maxLength: 6 }).map((rest) => `${own}${rest}`),
	fc.string({ unit: pieces, maxLength: 6 }).map((rest) => `https://${rest}`),
);

/** The places to which an HTTP client may send a request: it joins address and base, or resolves one against the other. */
function destinations(url: string, baseURL?: string): string[] {
	const isAbsolute = /^([a-z][a-z\d+\-.]*:)?\/\//i.test(url);
	const joined =
		baseURL === undefined || isAbsolute
			? url
			: url === ''
				? baseURL
				: `${baseURL.replace(/\/?\/$/, '')}/${url.replace(/^\/+/, '')}`;
	return [...new Set([...originsOf(joined), ...originsOf(url, baseURL)])];
}

function originsOf(url: string, base?: string): string[] {
	return URL.canParse(url, base) ? [new URL(url, base).origin] : [];
}

type Request = Parameters<typeof requireServiceAddress>[0];

function isAllowed(request: Request): boolean {
	try {
		requireServiceAddress(request, own);
		return true;
	} catch (error) {
		expect(error).toBeInstanceOf(InputError);
		return false;
	}
}

describe('an identity', () => {
	it('never goes to another origin, by whichever address and base', () => {
		const bases = fc.oneof(fc.constantFrom(undefined, own), addresses);
		fc.assert(
			fc.property(addresses, bases, (url, baseURL) => {
				if (isAllowed({ url, baseURL })) expect(destinations(url, baseURL)).toEqual([own]);
			}),
			{ numRuns: amount(3000, 30_000) },
		);
	});

	it.each<Request>([
		{ url: `${own}/acme/sales/1?api` },
		{ url: '/acme?api', baseURL: own },
		{ url: '/acme?next=https://evil.example/', baseURL: own },
	])('goes to its own service: %j', (request) => {
		expect(isAllowed(request)).toBe(true);
	});

	it.each<Request>([
		{ url: own, uri: 'https://evil.example' },
		{ url: 'http://acme.example:8443/acme' },
		{ url: 'mailto:someone@evil.example', baseURL: own },
	])('does not go elsewhere: %j', (request) => {
		expect(isAllowed(request)).toBe(false);
	});

	it('goes nowhere with a credential that has no proper address', () => {
		expect(() => requireServiceAddress({ url: 'http://host/' }, 'http://host')).toThrow(
			'HTTPS only',
		);
	});

	it('is refused without a word of the address, which may hold a session', () => {
		expect(() => requireServiceAddress({ url: 'https://evil.example/?sid=abc' }, own)).toThrow(
			/^(?!.*abc).*The credential is for another host/,
		);
	});
});
