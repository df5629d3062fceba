import { X509Certificate } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureCertificates } from '../../service';

let folder = '';
beforeEach(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'certificates-'));
});
afterEach(async () => await rm(folder, { recursive: true, force: true }));

describe('certificates', () => {
	it('are a server certificate and the authority that signed it', async () => {
		const made = await ensureCertificates(folder);
		const authority = new X509Certificate(await readFile(made.certificateAuthorityPath));
		const server = new X509Certificate(made.certificate);
		expect(authority.ca).toBe(true);
		expect(server.ca).toBe(false);
		expect(server.verify(authority.publicKey)).toBe(true);
		expect(server.checkHost('localhost')).toBe('localhost');
		expect(server.checkHost('other.localhost')).toBe('other.localhost');
		expect(server.checkIP('127.0.0.1')).toBe('127.0.0.1');
		expect(server.checkIP('::1')).toBe('::1');
	});

	it('are the same for all who start at once, and nothing is left over', async () => {
		const made = await Promise.all([1, 2, 3, 4].map(async () => await ensureCertificates(folder)));
		for (const certificates of made) expect(certificates).toEqual(made[0]);
		expect(await readdir(folder)).toEqual(['set-1']);
	});

	it('are made again when the set is damaged or about to expire', async () => {
		const { certificateAuthorityPath } = await ensureCertificates(folder);
		await writeFile(certificateAuthorityPath, 'damaged');
		const again = await ensureCertificates(folder);
		expect(again.certificateAuthorityPath).toContain('set-2');

		jest.useFakeTimers({
			doNotFake: ['nextTick', 'setImmediate'],
			now: Date.now() + 360 * 86_400_000,
		});
		try {
			const renewed = await ensureCertificates(folder);
			expect(renewed.certificateAuthorityPath).toContain('set-3');
		} finally {
			jest.useRealTimers();
		}
	});
});
