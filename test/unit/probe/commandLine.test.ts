import { readOrder, WrongCall } from '../../probe/commandLine';
import { report } from '../../probe/table';

const environment = { SHEET_RECORDS_API_KEY: 'key' };
const words = '--base-url https://sheets.example/ --account acme --sheet /sales/orders/1'.split(
	' ',
);

describe('the command', () => {
	it('reads what to do, and secrets from the environment alone', () => {
		const login = { SHEET_RECORDS_EMAIL: 'a@b.example', SHEET_RECORDS_PASSWORD: 'p' };
		const more = [
			'--write',
			'--json',
			'--delivery',
			'saved.json',
			'--field',
			'mark=12',
			'--field',
			'row=345',
		];
		expect(readOrder([...words, ...more], { ...environment, ...login })).toEqual({
			baseUrl: 'https://sheets.example',
			account: 'acme',
			sheet: 'sales/orders/1',
			fields: new Map([
				['mark', '12'],
				['row', '345'],
			]),
			mayWrite: true,
			delivery: 'saved.json',
			asJson: true,
			apiKey: 'key',
			login: { email: 'a@b.example', password: 'p' },
		});
	});

	it.each([
		['HTTP', ['--base-url', 'http://sheets.example', ...words.slice(2)]],
		['no address', ['--base-url', 'sheets.example', ...words.slice(2)]],
		['a password in the address', ['--base-url', 'https://a:b@sheets.example', ...words.slice(2)]],
		['no account', [...words.slice(0, 2), ...words.slice(4)]],
		['a sheet without a number', [...words.slice(0, 4), '--sheet', 'sales/orders']],
		['a key', [...words, '--api-key', 'key']],
		['an unknown field', [...words, '--field', 'colour=12']],
		['a field without an id', [...words, '--field', 'mark=Name']],
	])('refuses %s', (_, wrong) => {
		expect(() => readOrder(wrong, environment)).toThrow(WrongCall);
	});

	it('refuses to go without a key', () => {
		expect(() => readOrder(words, {})).toThrow('SHEET_RECORDS_API_KEY');
	});
});

it('the table has a line for each point, which no text breaks', () => {
	const heading = {
		version: '1.2.3',
		date: '2026-03-04',
		mayWrite: false,
		requests: 70,
		overloads: 0,
		passingRefusals: 1,
		slowest: 1234,
	};
	const rows = [
		{ about: 'dialect', point: 'Spelling', seen: 'a|b\n<b>', standsFor: 'ragic' },
		{ about: 'retryAfter', point: 'Again', seen: 'not there', standsFor: undefined },
		{ point: 'Addresses', seen: 'refused' },
		{ about: 'queueLength', point: 'Queue', notAsked: 'it harms' },
	] as const;
	const left = { addresses: ['https://x/1 (refused)'], unknown: ['two creations'] };
	expect(report({ rows: [...rows], left }, heading)).toBe(
		`Sheet Records 1.2.3, probe of 2026-03-04, read-only: 70 requests (0 too many, 1 refused in passing), the slowest took 1.2 s.

| Open point | Switch | Seen | Stands for |
| --- | --- | --- | --- |
| Spelling | \`dialect\` | a\\|b &lt;b> | \`"ragic"\` |
| Again | \`retryAfter\` | not there | \`undefined\` |
| Addresses | – | refused |  |
| Queue | \`queueLength\` | not asked: it harms |  |

**Still on the sheet, or perhaps:** https://x/1 (refused)
**Not known:** two creations

Settings of the credential for this service:
- Service Dialect: Ragic
- Requests per Second: 5
- Field naming (always sent): the service's own is not known

To paste into an issue:
\`\`\`text
Sheet Records 1.2.3, probe of 2026-03-04, read-only: 70 requests (0 too many, 1 refused in passing), the slowest took 1.2 s.
retryAfter: undefined not there
left: 1 records; not known: 1
\`\`\`
`,
	);
});
