import { isPrivateAddress } from '../../../../nodes/api/values/privateAddress';

it.each([
	...['localhost', 'LOCALHOST', 'localhost.', 'n8n.localhost', 'n8n', 'n8n.', 'nas.local'],
	...['n8n.internal', 'n8n.lan', 'n8n.home.arpa'],
	...['127.0.0.1', '127.255.255.255', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '0.0.0.0'],
	...['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.1.10'],
	...['169.254.169.254', '100.64.0.1', '100.127.255.255'],
	...['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[fc00::1]', '[fdff:1::2]', '[fe80::1]', '[febf::1]'],
	...['[::ffff:127.0.0.1]', '[::ffff:10.0.0.1]', '[::ffff:c0a8:101]', '[::127.0.0.1]'],
])('the host %s is local or private', (host) => {
	expect(isPrivateAddress(`http://${host}:5678/webhook/1`)).toBe(true);
	expect(isPrivateAddress(`https://${host}/`)).toBe(true);
});

it.each([
	...['n8n.example.com', 'localhost.example.com', 'local.example', 'mylocal.example', 'xn--n8n.de'],
	...['10.example.com', '8.8.8.8', '126.255.255.255', '128.0.0.1', '9.255.255.255', '11.0.0.0'],
	...[
		'172.15.255.255',
		'172.32.0.0',
		'192.167.255.255',
		'192.169.0.0',
		'169.253.0.1',
		'169.255.0.1',
	],
	...['100.63.255.255', '100.128.0.0', '1.0.0.0'],
	...['[2001:db8::1]', '[fbff::1]', '[fe00::1]', '[fec0::1]', '[::ffff:8.8.8.8]', '[1::]'],
])('the host %s is public', (host) => {
	expect(isPrivateAddress(`http://${host}:5678/webhook/1`)).toBe(false);
});

it.each([
	'',
	'n8n.example.com/webhook',
	'localhost:5678/webhook',
	'/webhook',
	'ftp://n8n.example/',
])('an address that is not an HTTP address counts as private: %j', (address) => {
	expect(isPrivateAddress(address)).toBe(true);
});
