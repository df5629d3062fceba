import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { rooms, unmeasured } from '../../mutation/rooms';

const checkout = join(__dirname, '../../..');
const sources = ['nodes', 'credentials'].flatMap((folder) =>
	readdirSync(join(checkout, folder), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts'))
		.map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
);
const measured = rooms.flatMap((room) => room.sources);
const isIn = (place: string, file: string) =>
	place.endsWith('/') ? file.startsWith(place) : file === place;

it('each source file is in a room of the mutation tests, or in the list of unmeasured places', () => {
	const places = [...measured, ...unmeasured];
	expect(sources.filter((file) => !places.some((place) => isIn(place, file)))).toEqual([]);
});

it('each place of a room, and each unmeasured place, has source files', () => {
	const places = [...measured, ...unmeasured];
	expect(places.filter((place) => !sources.some((file) => isIn(place, file)))).toEqual([]);
});

it('each test of a room exists', () => {
	const tests = rooms.flatMap((room) => room.tests);
	expect(tests.filter((path) => !existsSync(join(checkout, path)))).toEqual([]);
});
