import { knownRecords, rememberRecords, whileHeld } from '../../../../nodes/api/write/keyLock';

// In which order the turns of one name come, and what becomes of those that are cancelled, is seen in `pace.test.ts`.

it('work under one name waits until the work before it has ended or failed, other names do not', async () => {
	const log: string[] = [];
	const work = async (name: string) => {
		log.push(`${name} begins`);
		await new Promise((resolve) => setImmediate(resolve));
		log.push(`${name} ends`);
		if (name === 'first') throw new Error('broken');
		return name;
	};
	const results = await Promise.allSettled([
		whileHeld('a', undefined, async () => await work('first')),
		whileHeld('a', undefined, async () => await work('second')),
		whileHeld('b', undefined, async () => await work('other')),
	]);
	expect(results).toMatchObject([
		{ reason: new Error('broken') },
		{ value: 'second' },
		{ value: 'other' },
	]);
	expect(log.slice(0, 2)).toEqual(['first begins', 'other begins']);
	expect(log.filter((line) => !line.startsWith('other')).slice(1)).toEqual([
		...['first ends', 'second begins', 'second ends'],
	]);
});

it('records are known by the last that was told of them, and for so many names at most', () => {
	expect(knownRecords('none')).toBeUndefined();
	rememberRecords('x', ['1']);
	rememberRecords('x', []);
	expect(knownRecords('x')).toEqual([]);
	for (let index = 0; index < 9_999; index++) rememberRecords(`name ${index}`, ['1']);
	expect(knownRecords('x')).toEqual([]);
	rememberRecords('x', ['2']);
	rememberRecords('one more', ['3']);
	expect(knownRecords('name 0')).toBeUndefined();
	expect(knownRecords('x')).toEqual(['2']);
});
