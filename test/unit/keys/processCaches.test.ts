import { clearProcessState, processState } from '../../../nodes/api/http/processState';
import { endRequestsInProgress, processCaches, type CacheCase } from './processCaches';
import { changed, components, usual } from './situation';

const cases = Object.entries(processCaches).filter(
	(entry): entry is [string, CacheCase] => typeof entry[1] === 'object',
);

beforeEach(() => clearProcessState());
afterEach(endRequestsInProgress);

it('each cache of the process is in the table of keys', () => {
	expect(Object.keys(processCaches).sort()).toEqual(Object.keys(processState).sort());
});

it.each(cases)('the cache %s finds a value in the situation that filled it', async (_, cache) => {
	await cache.fill(usual);
	expect(await cache.isFound(usual)).toBe(true);
});

describe.each(cases)('the cache %s', (_, cache) => {
	it.each(components)('depends on %s alone exactly if its key has it', async (component) => {
		await cache.fill(usual);
		expect(await cache.isFound(changed[component])).toBe(!cache.key.includes(component));
	});

	it.each(cache.also ?? [{ what: 'nothing else', from: usual, to: usual, isShared: true }])(
		'is shared with $what: $isShared',
		async ({ from, to, isShared }) => {
			await cache.fill(from);
			expect(await cache.isFound(to)).toBe(isShared);
		},
	);
});
