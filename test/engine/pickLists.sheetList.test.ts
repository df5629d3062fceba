import { usePickListTestbed } from './pickListTestbed';

const testbed = usePickListTestbed();

const searchSheets = { kind: 'listSearch', name: 'searchSheets' } as const;
const list = '/api/http/integromatForms.jsp?n8n';

interface Found {
	results: Array<{ name: string; value: string; url?: string }>;
}

async function find(more: object = {}): Promise<Found> {
	return Object(await testbed.ask({ ...searchSheets, ...more }));
}

describe('the list of sheets', () => {
	it.each(['code106', 'http404', 'html'] as const)(
		"comes from the vendor's own list when the menu answers %s",
		async (answer) => {
			const { results } = await find();
			testbed.service.requests.clear();
			testbed.service.switches.menu = answer;
			expect((await find()).results).toEqual(results);
			// Code 106 may be a good key that was taken for a guest's.
			const menu = answer === 'code106' ? ['/acme?api', '/acme?api'] : ['/acme?api'];
			expect(testbed.reads.map(({ rawUrl }) => rawUrl)).toEqual([...menu, list]);
		},
	);

	it('comes from an array too, and is searched', async () => {
		Object.assign(testbed.service.switches, { menu: 'code106', pickerList: 'array' });
		const { results } = await find({ filter: 'sommer' });
		expect(results).toEqual([
			{
				name: 'Küche / Rezepte für den Sommer',
				value: 'küche/é t é/5',
				url: `${testbed.service.baseUrl}/acme/k%C3%BCche/%C3%A9%20t%20%C3%A9/5`,
			},
		]);
	});

	it('is not asked for again where the menu is down', async () => {
		testbed.inject({ kind: 'status', status: 500, times: 9 });
		expect(await testbed.refusalOf(searchSheets)).not.toMatch(/does not list/);
		expect(testbed.reads.map(({ rawUrl }) => rawUrl)).not.toContain(list);
	});
});
