import { isPrivateAddress } from '../../../../nodes/api/values/privateAddress';

it.each([
	...['localhost', 'LOCALHOST', 'localhost.', 'n8n.localhost', 'n8n', 'n8n.', 'nas.local'],
	...[
		'n8n.internal',
		'n8n.lan',
		'n8n.home.arpa',
		'N8N.Corp',
		'n8n.home',
		'n8n.mail',
		'n8n.intranet',
	],
	...['n8n.private', 'n8n.localdomain', 'n8n.test', 'n8n.invalid', 'n8n.alt', 'n8n.onion'],
	...['n8n.local.', 'n8n.local..', 'localhost..', '10.0.0.1.', '%31%30.0.0.1', '１０.0.0.1'],
	...['127.0.0.1', '127.255.255.255', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '0.0.0.0'],
	...['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.1.10'],
	...[
		'169.254.169.254',
		'100.64.0.1',
		'100.127.255.255',
		'192.0.0.8',
		'198.18.0.1',
		'198.19.255.255',
	],
	...['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', '0xa000001', '012.0.0.1'],
	...['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[fc00::1]', '[fdff:1::2]', '[fe80::1]', '[febf::1]'],
	...['[fe80::1%25eth0]', '[fec0::1]', '[feff::1]', '[ff02::1]', '[::ffff:198.18.0.1]'],
	...['[2002:a00:1::1]', '[2002:c0a8:101::]', '[64:ff9b::10.0.0.1]', '[64:ff9b::c0a8:101]'],
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
	...['100.63.255.255', '100.128.0.0', '1.0.0.0', '192.0.1.0', '198.17.255.255', '198.20.0.0'],
	...[
		'223.255.255.255',
		'n8n.corp.com',
		'corp.com',
		'n8n.homes',
		'nhome.de',
		'n8n.arpa',
		'n8n.box',
	],
	...['[2001:db8::1]', '[fbff::1]', '[fe00::1]', '[fe7f::1]', '[::ffff:8.8.8.8]', '[1::]'],
	...['[2002:808:808::1]', '[64:ff9b::8.8.8.8]', '[64:ff9c::10.0.0.1]', '[2003:a00:1::1]'],
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
