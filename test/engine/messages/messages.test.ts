import { writeFileSync, appendFileSync } from 'node:fs';
import { useRecordTestbed } from '../recordTestbed';
import { allCommonMistakes, itemsOf, type Mistake } from './mistakes';
import { ownMistakes } from './ownMistakes';

const testbed = useRecordTestbed();
const mistakes = [...allCommonMistakes, ...ownMistakes];
beforeAll(() => writeFileSync('/tmp/wc-dump.txt', ''));

it.each(mistakes.map((m) => [`${m.operation}: ${m.mistake}`, m] as const))(
	'%s',
	async (name, mistake: Mistake) => {
		const { service } = testbed;
		mistake.prepare?.(service);
		const { parameters, identity, credential } = mistake;
		const credentials = mistake.isSession
			? testbed.sessionCredentials(identity ?? 'member', credential)
			: testbed.credentials(identity ?? 'member', credential);
		const authentication = mistake.isSession ? { authentication: 'session' } : {};
		const { error, items } = await testbed.run(
			{ ...parameters, ...authentication },
			await itemsOf(mistake, service),
			{ credentials },
		);
		appendFileSync(
			'/tmp/wc-dump.txt',
			`## ${name}\n${error?.message}\n    ${error?.description}\n${error ? '' : JSON.stringify(items.map((i) => i.json)).slice(0, 200) + '\n'}`,
		);
		expect(error).toBeDefined();
		const { message = '', description = '' } = error ?? {};
		const text = `${message} · ${description}`;
		expect(text).toMatch(mistake.names);
		expect(text).toMatch(mistake.says);
		expect(description).not.toBe('');
		expect(message).not.toContain(description || 'x');
		expect(text).not.toMatch(/(?:[Cc]ode|HTTP) -?\d+\.?$/);
	},
);
