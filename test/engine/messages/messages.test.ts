import { offeredOperations, operationsToDo } from '../operations';
import { useRecordTestbed } from '../recordTestbed';
import { allCommonMistakes, itemsOf, type Mistake } from './mistakes';
import { ownMistakes } from './ownMistakes';

const testbed = useRecordTestbed();
const mistakes = [...allCommonMistakes, ...ownMistakes];
const nameOf = ({ operation, mistake }: Mistake) => `${operation}: ${mistake}`;

/** Runs the operation with the mistake. Returns the message and the description of its error. */
async function errorOf(mistake: Mistake): Promise<{ message: string; description: string }> {
	const { service } = testbed;
	mistake.prepare?.(service);
	const { parameters, identity = 'member', credential, isSession } = mistake;
	const credentials = isSession
		? testbed.sessionCredentials(identity, credential)
		: testbed.credentials(identity, credential);
	const authentication = isSession ? { authentication: 'session' } : {};
	const items = await itemsOf(mistake, service);
	const { error } = await testbed.run({ ...parameters, ...authentication }, items, { credentials });
	return { message: error?.message ?? '', description: error?.description ?? '' };
}

it('every operation of the node has mistakes of its own or common ones', async () => {
	const offered = (await offeredOperations()).map(
		({ resource, operation }) => `${resource.value}.${operation.value}`,
	);
	const operations = new Set(mistakes.map(({ operation }) => operation));
	const todo =
		'add a case to test/engine/faults, or a mistake to test/engine/messages/ownMistakes.ts (HOW_TO, step 6)';
	expect(await operationsToDo((name) => operations.has(name), todo)).toEqual([]);
	expect([...operations].sort()).toEqual(offered.sort());
	expect(new Set(mistakes.map(nameOf)).size).toBe(mistakes.length);
});

it.each(mistakes.map((mistake) => [nameOf(mistake), mistake] as const))(
	'the error names the place, says what was there and gives a step: %s',
	async (_, mistake) => {
		const { message, description } = await errorOf(mistake);
		const text = `${message} · ${description}`;
		expect(text).toMatch(mistake.names);
		expect(text).toMatch(mistake.says);
		expect(description).not.toBe('');
		expect(message).not.toContain(description);
		expect(text).not.toMatch(/(?:code|HTTP) -?\d+\.?$/i);
	},
);

it.each([
	'an unknown field',
	'no record',
	'no sheet',
	'a record that is no ID',
	'a sheet that is gone',
	'an item of an error output',
	'a condition without a value',
	'a button that is gone',
	'a row that is gone',
])('the same mistake has the same words in all operations: %s', async (name) => {
	const same = mistakes.filter(({ mistake }) => mistake === name);
	const messages = new Set<string>();
	for (const mistake of same) {
		testbed.service.reset();
		const { message } = await errorOf(mistake);
		// Names and IDs differ: '…' and numbers. A list of fields names itself, the key of an item needs no list.
		const named = message.replace(/\. Did you mean.*$/, '').replace(/' in '[^']*'/, "'");
		messages.add(named.replace(/'[^']*'|\d+(?:\.xlsx)?/g, '…'));
	}
	expect(same.length).toBeGreaterThan(1);
	expect([...messages]).toHaveLength(name === 'an unknown field' ? 2 : 1);
});
