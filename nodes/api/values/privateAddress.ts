import { urlOf } from './serviceAddress';

/**
 * Ends of host names that the public DNS never has (RFC 6761, RFC 6762 appendix G, RFC 8375, RFC 9476, ICANN). `example` and
 * the networks for documentation are not here, because they stand for public ones.
 */
const privateNames = [
	...['alt', 'corp', 'home', 'home.arpa', 'internal', 'intranet', 'invalid', 'lan', 'local'],
	...['localdomain', 'localhost', 'mail', 'onion', 'private', 'test'],
];

/** IPv4 networks that the internet does not route: the first address, and the length of the prefix in bits. */
const privateNetworks: ReadonlyArray<readonly [network: string, bits: number]> = [
	['0.0.0.0', 8],
	['10.0.0.0', 8],
	['100.64.0.0', 10],
	['127.0.0.0', 8],
	['169.254.0.0', 16],
	['172.16.0.0', 12],
	['192.0.0.0', 24],
	['192.168.0.0', 16],
	['198.18.0.0', 15],
	['224.0.0.0', 3],
];

/** First group of the IPv6 networks that the internet does not route: fc00::/7, fe80::/10, fec0::/10 and ff00::/8. */
const privateGroups = [
	{ value: 0xfc00, mask: 0xfe00 },
	{ value: 0xfe80, mask: 0xff80 },
	{ value: 0xff00, mask: 0xff00 },
];

/** First groups of the IPv6 networks whose addresses stand for IPv4 addresses, which follow: compatible, mapped, NAT64 and 6to4. */
const embeddingNetworks = [
	[0, 0, 0, 0, 0, 0],
	[0, 0, 0, 0, 0, 0xffff],
	[0x64, 0xff9b, 0, 0, 0, 0],
	[0x2002],
];

/**
 * Returns whether an address can only be reached from the same machine or network: its host is local, private, a name without a
 * dot, or missing. Resolves no names.
 */
export function isPrivateAddress(address: string): boolean {
	const url = urlOf(address);
	if (!url || !/^https?:$/.test(url.protocol)) return true;
	const host = url.hostname.replace(/\.+$/, '');
	if (host.startsWith('[')) return isPrivateIpv6(ipv6Groups(host.slice(1, -1)));
	// The URL standard converts all notations of an IPv4 address to four decimal numbers.
	if (/^[\d.]+$/.test(host)) return isPrivateIpv4(ipv4Number(host));
	return !host.includes('.') || privateNames.some((name) => host.endsWith(`.${name}`));
}

function ipv4Number(address: string): number {
	return address.split('.').reduce((number, part) => number * 256 + Number(part), 0);
}

function isPrivateIpv4(address: number): boolean {
	return privateNetworks.some(([network, bits]) => {
		const size = 2 ** (32 - bits);
		return Math.floor(address / size) === Math.floor(ipv4Number(network) / size);
	});
}

/** Returns the eight groups of an IPv6 address, as the URL standard writes it: in hexadecimal, with at most one `::`. */
function ipv6Groups(address: string): number[] {
	const [before = [], after = []] = address
		.split('::')
		.map((part) => part.split(':').filter(Boolean));
	const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
	return [...before, ...zeros, ...after].map((group) => parseInt(group, 16));
}

function isPrivateIpv6(groups: readonly number[]): boolean {
	const [first = 0] = groups;
	if (privateGroups.some(({ value, mask }) => (first & mask) === value)) return true;
	const embedding = embeddingNetworks.find((network) =>
		network.every((group, index) => groups[index] === group),
	);
	if (!embedding) return false;
	const [high = 0, low = 0] = groups.slice(embedding.length);
	return isPrivateIpv4(high * 0x10000 + low);
}
