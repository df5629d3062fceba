import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '../../package.json';
import { timeLimit } from '../timeLimit';

const checkout = join(__dirname, '../..');

function release(env: NodeJS.ProcessEnv) {
	const outside = {
		GITHUB_ACTIONS: undefined,
		GITHUB_REF_TYPE: undefined,
		GITHUB_REF_NAME: undefined,
	};
	const options = {
		cwd: checkout,
		env: { ...process.env, ...outside, ...env },
		encoding: 'utf8',
	} as const;
	return spawnSync(process.execPath, ['.ci/release.mjs'], options);
}

const inWorkflow = { GITHUB_ACTIONS: 'true', GITHUB_REF_TYPE: 'tag' };

// Each test starts npm and Node.js.
jest.setTimeout(timeLimit(60));

describe('publishing outside the workflow', () => {
	it('is rejected by npm, even if npm runs no scripts', () => {
		const nowhere = '//127.0.0.1:9/';
		const { status, stderr } = spawnSync(
			'npm',
			[
				...['publish', '--ignore-scripts', '--fetch-retries=0', `--registry=http:${nowhere}`],
				`--${nowhere}:_authToken=none`,
			],
			{ cwd: checkout, encoding: 'utf8' },
		);
		expect(status).toBe(1);
		expect(stderr).toContain('EPRIVATE');
	});

	it.each([
		['a developer’s machine', {}],
		['a branch', { ...inWorkflow, GITHUB_REF_TYPE: 'branch', GITHUB_REF_NAME: version }],
		['a tag of another version', { ...inWorkflow, GITHUB_REF_NAME: `${version}0` }],
	])('is rejected by the release command: %s', (_, env) => {
		const { status, stderr } = release(env);
		expect(status).toBe(1);
		expect(stderr).toContain('Publish workflow');
	});
});

describe('the README on npm', () => {
	const ofRepository = readFileSync(join(checkout, 'README.md'), 'utf8');
	const onNpm = execFileSync(process.execPath, ['.ci/readmeForNpm.mjs'], {
		cwd: checkout,
		encoding: 'utf8',
	});
	const targetsIn = (text: string) =>
		[...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
	const places = {
		page: `https://github.com/sheet-records/n8n-nodes-sheet-records/blob/${version}/`,
		picture: `https://raw.githubusercontent.com/sheet-records/n8n-nodes-sheet-records/${version}/`,
	};

	it('has the text of the README, with other addresses only', () => {
		const restored = onNpm.replaceAll(places.page, '').replaceAll(places.picture, '');
		expect(restored).toBe(ofRepository);
	});

	it('has full addresses of files that exist at the tag', () => {
		const relative = targetsIn(ofRepository).filter((target) => !/^(https:|#)/.test(target));
		const files = targetsIn(onNpm).flatMap((target) => {
			const place = Object.values(places).find((each) => target.startsWith(each));
			return place ? [target.slice(place.length).replace(/#.*/, '')] : [];
		});
		expect(files).toHaveLength(relative.length);
		expect(files.filter((file) => !existsSync(join(checkout, file)))).toEqual([]);
		expect(targetsIn(onNpm).filter((target) => !/^(https:|#)/.test(target))).toEqual([]);
	});

	it('has its pictures as files, not as pages', () => {
		const pictures = [...onNpm.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(
			([, target = '']) => target,
		);
		expect(pictures.length).toBeGreaterThan(1);
		expect(pictures.filter((target) => !target.startsWith(places.picture))).toEqual([]);
	});
});
