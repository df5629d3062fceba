import fc from 'fast-check';
import {
	accountIn,
	requireServiceAddress,
	serviceOrigin,
} from '../../../../nodes/api/values/serviceAddress';
import { InputError } from '../../../../nodes/api/values/inputError';
import { runs } from '../../../amount';

describe("the service's address", () => {
	it.each([
		[' https://WWW.Example.com ', 'https://www.example.com'],
		['www.example.com', 'https://www.example.com'],
		['host:8443/acme', 'https://host:8443'],
		['https://host/acme/sales/1?x#y', 'https://host'],
		['\u200bhttps://host\u200b', 'https://host'],
		['[::1]:8443', 'https://[::1]:8443'],
	])('%j is %s', (baseUrl, origin) => {
		expect(serviceOrigin(baseUrl)).toBe(origin);
	});

	it('an HTTP address is rejected: HTTPS only', () => {
		expect(() => serviceOrigin('HTTP://host')).toThrow('HTTPS only');
	});

	it.each([
		['"https://host"', 'remove the quotation marks'],
		['‘host’', 'remove the quotation marks'],
		['https//host', 'must begin with https://'],
		['https:host', 'must begin with https://'],
		['http/host', 'must begin with https://'],
		['https.//host', 'must begin with https://'],
	])('the error for %s says what to correct: %s', (baseUrl, advice) => {
		expect(() => serviceOrigin(baseUrl)).toThrow(advice);
	});

	it.each([
		...[
			'',
			'//host',
			'ftp://host',
			'h2+x.y-z:/host',
			'https:host',
			'https://',
			'https://https://host',
		],
		...['https://user@host', 'https://user:word@host', 'https://host\\evil', 'https://ho st'],
		...['https://host:99999', 'https://[::1', 'javascript:alert(1)'],
		...['=https://host', '(https://host', 'host,', 'a..b'],
	])('%j is rejected', (baseUrl) => {
		expect(() => serviceOrigin(baseUrl)).toThrow(InputError);
	});
});

it.each([
	{ address: ' https://host/acme/sales/1?x#y ', account: 'acme' },
	{ address: 'host/acme', account: 'acme' },
	{ address: 'https://host/my%20acme/', account: 'my acme' },
	{ address: 'https://host/50%', account: '50%' },
	{ address: 'https://host/acme?x', account: 'acme' },
	{ address: 'https://host/', account: '' },
	{ address: 'https://host', account: '' },
	{ address: 'no address', account: '' },
])('the account in $address is "$account"', ({ address, account }) => {
	expect(accountIn(address)).toBe(account);
});

it('an invisible character anywhere in a base URL changes neither the service nor the account', () => {
	const address = 'https://host/acme/sales/1';
	for (let at = 0; at <= address.length; at++) {
		const pasted = `${address.slice(0, at)}\u200b${address.slice(at)}`;
		expect([serviceOrigin(pasted), accountIn(pasted)]).toEqual(['https://host', 'acme']);
	}
});

it('the error for an invalid base URL shows an example and where to set it', () => {
	expect(() => serviceOrigin('ftp://host')).toThrow(
		expect.objectContaining({
			message: 'The base URL in the credential is not an address of the form https://host',
			description: undefined,
			remedy: 'setBaseUrl',
		}),
	);
	expect(() => serviceOrigin('see http://host')).toThrow('is not an address of the form');
	expect(() => serviceOrigin(' http://host')).toThrow(
		'The base URL begins with http: the service answers HTTPS only',
	);
});

const serviceAddress = 'https://acme.example:8443';
const pieces = fc.constantFrom(
	...['https:', 'http:', 'HTTPS:', 'ftp:', 'data:', '/', '//', '\\', '\\\\', '@', ':', '.', '..'],
	...['evil.example', 'acme.example', 'acme.example:8443', '8443', '443', 'user:word', 'user'],
	...['?', '#', '?api', '%2f', '%40', '\t', '\n', '\r', ' ', 'ａ', '。', 'acme', 'localhost'],
);
const addresses = fc.oneof(
	fc.string({ unit: pieces, maxLength: 8 }),
	fc.string({ unit: pieces, maxLength: 6 }).map((rest) => `${serviceAddress}${rest}`),
	fc.string({ unit: pieces, maxLength: 6 }).map((rest) => `https://${rest}`),
);

type Request = Parameters<typeof requireServiceAddress>[0];

function isAllowed(request: Request): boolean {
	try {
		requireServiceAddress(request, serviceAddress);
		return true;
	} catch (error) {
		expect(error).toBeInstanceOf(InputError);
		return false;
	}
}

describe('a credential', () => {
	it('a credential is never sent to another origin', () => {
		fc.assert(
			fc.property(addresses, (url) => {
				if (isAllowed({ url })) expect(new URL(url).origin).toBe(serviceAddress);
			}),
			{ numRuns: runs(1000, 5_000, 30_000) },
		);
	});

	it.each<Request>([
		{ url: `${serviceAddress}/acme/sales/1?api` },
		{ uri: `${serviceAddress}/acme/sales/1?api` },
	])('a credential is sent to its own service: %j', (request) => {
		expect(isAllowed(request)).toBe(true);
	});

	it.each<Request>([
		{},
		{ url: serviceAddress, uri: 'https://evil.example' },
		{ url: 'http://acme.example:8443/acme' },
		{ url: '/acme?api', baseURL: serviceAddress },
		{ url: `${serviceAddress}/acme`, baseURL: 'https://evil.example' },
	])('a credential is not sent to another address: %j', (request) => {
		expect(isAllowed(request)).toBe(false);
	});

	it('a request to another address is rejected with advice', () => {
		expect(() => requireServiceAddress({ url: 'https://evil.example' }, serviceAddress)).toThrow(
			expect.objectContaining({
				message:
					'The credential is for another host: its secrets are only sent to its own base URL',
				description: 'Check the address of the request.',
				remedy: 'checkBaseUrl',
			}),
		);
	});

	it('the error for another address does not quote it, because it may contain a session', () => {
		expect(() =>
			requireServiceAddress({ url: 'https://evil.example/?sid=abc' }, serviceAddress),
		).toThrow(/^(?!.*abc).*The credential is for another host/);
	});
});
