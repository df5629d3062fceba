import { urlOf } from './serviceAddress';

/** Ends of host names that the public DNS does not have. */
const privateNames = ['localhost', 'local', 'internal', 'lan', 'home.arpa'];

/** IPv4 networks that the internet does not route: the first address, and the length of the prefix in bits. */
const privateNetworks: ReadonlyArray<readonly [network: string, bits: number]> = [
	['0.0.0.0', 8],
	['10.0.0.0', 8],
	['100.64.0.0', 10],
	['127.0.0.0', 8],
	['169.254.0.0', 16],
	['172.16.0.0', 12],
	['192.168.0.0', 16],
];

/** First group of the IPv6 networks fc00::/7 and fe80::/10, which the internet does not route: value and mask. */
const privateGroups = [
	{ value: 0xfc00, mask: 0xfe00 },
	{ value: 0xfe80, mask: 0xffc0 },
];

/**
 * Returns whether an address can only be reached from the same machine or network: its host is local, private, a name without a
 * dot, or missing. Resolves no names.
 */
export function isPrivateAddress(address: string): boolean {
	const url = urlOf(address);
	if (!url || !/^https?:$/.test(url.protocol)) return true;
	const host = url.hostname.replace(/\.$/, '');
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
	const [high = 0, low = 0] = groups.slice(6);
	const ipv4 = high * 0x10000 + low;
	const areZeros = groups.slice(0, 5).every((group) => group === 0);
	// ::, ::1 and other addresses ::a.b.c.d, and ::ffff:a.b.c.d, which stands for the IPv4 address.
	if (areZeros && groups[5] === 0) return groups[6] === 0 || isPrivateIpv4(ipv4);
	return areZeros && groups[5] === 0xffff && isPrivateIpv4(ipv4);
}
