import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { generate } from 'selfsigned';
import { putInPlace } from '../finishedFolder';

/** Key and certificate of the TLS server, and the path of the certificate authority that signed it. */
export interface Certificates {
	certificateAuthorityPath: string;
	key: string;
	certificate: string;
}

const folderOfCheckout = path.resolve(
	__dirname,
	'../../node_modules/.cache/sheet-records-reference-service',
);
const authorityFile = 'certificate-authority.pem';
const keyFile = 'server-key.pem';
const certificateFile = 'server-certificate.pem';

/**
 * Returns the certificate authority and the server certificate of this checkout, and creates them if they are missing. Each
 * year has its own set, valid for two years. A finished folder is renamed into place and never changed, so processes that
 * start at the same time use the same set.
 */
export async function ensureCertificates(): Promise<Certificates> {
	const folder = path.join(folderOfCheckout, `of-${new Date().getUTCFullYear()}`);
	if (!existsSync(folder)) await makeSet(folder);
	return {
		certificateAuthorityPath: path.join(folder, authorityFile),
		key: await readFile(path.join(folder, keyFile), 'utf8'),
		certificate: await readFile(path.join(folder, certificateFile), 'utf8'),
	};
}

async function makeSet(target: string): Promise<void> {
	const folder = path.join(folderOfCheckout, `making-${randomUUID()}`);
	await mkdir(folder, { recursive: true });
	const year = new Date().getUTCFullYear();
	const period = {
		notBeforeDate: new Date(Date.UTC(year - 1, 11, 1)),
		notAfterDate: new Date(Date.UTC(year + 2, 0, 1)),
	};
	const curve = { keyType: 'ec', curve: 'P-256', algorithm: 'sha256' } as const;
	const authority = await generate(
		[{ name: 'commonName', value: 'Sheet Records reference service authority' }],
		{
			...period,
			...curve,
			extensions: [
				{ name: 'basicConstraints', cA: true, critical: true },
				{ name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
			],
		},
	);
	const server = await generate([{ name: 'commonName', value: 'localhost' }], {
		...period,
		...curve,
		ca: { key: authority.private, cert: authority.cert },
		extensions: [
			{ name: 'basicConstraints', cA: false, critical: true },
			{ name: 'keyUsage', digitalSignature: true, critical: true },
			{ name: 'extKeyUsage', serverAuth: true },
			{
				name: 'subjectAltName',
				altNames: [
					{ type: 2, value: 'localhost' },
					{ type: 2, value: 'other.localhost' },
					{ type: 7, ip: '127.0.0.1' },
					{ type: 7, ip: '::1' },
				],
			},
		],
	});
	await writeFile(path.join(folder, authorityFile), authority.cert);
	await writeFile(path.join(folder, keyFile), server.private, { mode: 0o600 });
	await writeFile(path.join(folder, certificateFile), server.cert);
	putInPlace(folder, target);
	await rm(folder, { recursive: true, force: true });
}
