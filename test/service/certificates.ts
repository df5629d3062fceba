import { randomUUID, X509Certificate } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { generate } from 'selfsigned';

import { putInPlace } from '../finishedFolder';

/** What a TLS server needs, and where the authority that vouches for it is kept. */
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

const day = 24 * 60 * 60 * 1000;
const lifetime = 365 * day;
const renewalMargin = 7 * day;

/**
 * Gives the certificate authority and the server certificate of this checkout, making them when
 * they are missing or about to expire. Every set is a numbered folder that appears by one rename
 * and is never changed afterwards, so processes that start at the same time end up with the same
 * set.
 */
export async function ensureCertificates(folder = folderOfCheckout): Promise<Certificates> {
	const newest = await newestSet(folder);
	const present = await readSet(setFolder(folder, newest));
	if (present) return present;

	const nextFolder = setFolder(folder, newest + 1);
	const temporaryFolder = path.join(folder, `making-${randomUUID()}`);
	await mkdir(temporaryFolder, { recursive: true });
	try {
		await makeSet(temporaryFolder);
		putInPlace(temporaryFolder, nextFolder);
	} finally {
		await rm(temporaryFolder, { recursive: true, force: true });
	}
	const made = await readSet(nextFolder);
	if (!made) throw new Error(`No usable certificates in ${nextFolder}`);
	return made;
}

function setFolder(folder: string, set: number): string {
	return path.join(folder, `set-${set}`);
}

async function newestSet(folder: string): Promise<number> {
	const names = await readdir(folder).catch((): string[] => []);
	const numbers = names.map((name) => Number(/^set-(\d+)$/.exec(name)?.[1] ?? 0));
	return Math.max(0, ...numbers);
}

/** The set in a folder, unless it is missing, incomplete or about to expire. */
async function readSet(folder: string): Promise<Certificates | undefined> {
	const certificateAuthorityPath = path.join(folder, authorityFile);
	try {
		const authority = await readFile(certificateAuthorityPath, 'utf8');
		const key = await readFile(path.join(folder, keyFile), 'utf8');
		const certificate = await readFile(path.join(folder, certificateFile), 'utf8');
		if (endsSoon(authority) || endsSoon(certificate)) return undefined;
		return { certificateAuthorityPath, key, certificate };
	} catch {
		return undefined;
	}
}

function endsSoon(pem: string): boolean {
	return Date.parse(new X509Certificate(pem).validTo) - Date.now() < renewalMargin;
}

async function makeSet(folder: string): Promise<void> {
	const period = {
		notBeforeDate: new Date(Date.now() - day),
		notAfterDate: new Date(Date.now() + lifetime),
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
}
