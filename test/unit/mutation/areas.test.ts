import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { areas, unmeasured } from '../../mutation/areas';

const checkout = join(__dirname, '../../..');
const sources = ['nodes', 'credentials'].flatMap((folder) =>
	readdirSync(join(checkout, folder), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts'))
		.map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
);
const measured = areas.flatMap((area) => area.sources);
const isIn = (place: string, file: string) =>
	place.endsWith('/') ? file.startsWith(place) : file === place;

it('each source file is in an area of the mutation tests, or in the list of unmeasured places', () => {
	const places = [...measured, ...unmeasured];
	expect(sources.filter((file) => !places.some((place) => isIn(place, file)))).toEqual([]);
});

it('each place of an area, and each unmeasured place, has source files', () => {
	const places = [...measured, ...unmeasured];
	expect(places.filter((place) => !sources.some((file) => isIn(place, file)))).toEqual([]);
});

it('each test of an area exists', () => {
	const tests = areas.flatMap((area) => area.tests);
	expect(tests.filter((path) => !existsSync(join(checkout, path)))).toEqual([]);
});
