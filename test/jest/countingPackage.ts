import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createScriptTransformer } from '@jest/transform';
import { readConfigs } from 'jest-config';

const checkout = join(__dirname, '../..');

/**
 * Makes the package that engine tests load when coverage is measured. Its code is what jest makes of the sources for
 * unit tests, which counts what is run, so the counts of both are of the same lines. What is published stays as it is.
 *
 * @returns its folder, below the checkout, where it finds the packages that it imports
 */
export async function makeCountingPackage(): Promise<string> {
	const folder = join(checkout, 'coverage/package');
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	cpSync(join(checkout, 'package.json'), join(folder, 'package.json'));
	cpSync(join(checkout, 'dist'), join(folder, 'dist'), { recursive: true });
	const {
		configs: [ofUnitTests],
	} = await readConfigs({ $0: '', _: [] }, [checkout]);
	if (!ofUnitTests) throw new Error('jest.config.js has no projects');
	const transformer = await createScriptTransformer(ofUnitTests);
	for (const file of sources()) {
		const { code } = transformer.transform(join(checkout, file), {
			...{ coverageProvider: 'babel', isInternalModule: false },
			...{ collectCoverage: true, collectCoverageFrom: [], changedFiles: undefined },
			...{ supportsDynamicImport: false, supportsExportNamespaceFrom: false },
			...{ supportsStaticESM: false, supportsTopLevelAwait: false },
		});
		const target = join(folder, 'dist', file.replace(/\.ts$/, '.js'));
		mkdirSync(dirname(target), { recursive: true });
		writeFileSync(target, code);
	}
	return folder;
}

function sources(): string[] {
	return ['nodes', 'credentials'].flatMap((folder) =>
		readdirSync(join(checkout, folder), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts'))
			.map((file) => join(folder, file)),
	);
}
