import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createScriptTransformer } from '@jest/transform';
import { readConfigs } from 'jest-config';

const checkout = join(__dirname, '../..');

/**
 * Builds the package that engine tests load when coverage is measured. Jest instruments it like the sources of unit tests, so
 * that both kinds of tests report coverage of the same lines. The published package stays unchanged.
 *
 * @returns its folder, which is inside the checkout so that Node.js finds the imported packages
 */
export async function makeCountingPackage(): Promise<string> {
	const folder = join(checkout, 'coverage/package');
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	cpSync(join(checkout, 'package.json'), join(folder, 'package.json'));
	cpSync(join(checkout, 'dist'), join(folder, 'dist'), { recursive: true });
	const {
		configs: [unitTestConfig],
	} = await readConfigs({ $0: '', _: [] }, [checkout]);
	if (!unitTestConfig) throw new Error('jest.config.js has no projects');
	const transformer = await createScriptTransformer(unitTestConfig);
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
