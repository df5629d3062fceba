import { orders, siteVisits, type Fault, type SeenRequest } from '../../service';
import { onOrder, onOrders, recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { readBinary, type RunResult } from '../runner';
import { clearProcessState } from '../runner/typeLibrary';

const testbed = useRecordTestbed({ demoRecords: 60 });
const { contract } = orders.fields;
const { photos } = siteVisits.subtables;
const { photo } = photos.fields;

const store = (name: string, content = name) =>
	testbed.service.data.storeFile(name, 'text/plain', Buffer.from(content));
const getOrder = onOrder('get', 5);
const getVisit = { operation: 'get', sheet: sheet(siteVisits), recordId: recordId(5) };

async function contentsOf({ items }: RunResult) {
	const [binary = {}] = items.map((item) => item.binary);
	const files = Object.entries(binary).map(async ([name, file]) => {
		return [name, (await readBinary(file)).toString()];
	});
	return Object.fromEntries(await Promise.all(files));
}

beforeEach(() => {
	testbed.order(5).set(contract, ['', store('a.txt'), store('b.txt')]);
});

it.each([
	{ description: 'a name', downloadFiles: 'Contract', more: {}, key: 'Contract' },
	{ description: 'an id', downloadFiles: contract, more: {}, key: 'Contract' },
	{
		description: 'a name, keyed by ids',
		downloadFiles: ' Contract ,Remark',
		more: { fieldKeys: 'id' },
		key: contract,
	},
	{ description: 'an array', downloadFiles: '={{ ["Contract"] }}', more: {}, key: 'Contract' },
])('a read downloads the files of a field: $description', async ({ downloadFiles, more, key }) => {
	for (const simplify of [true, false]) {
		const options = { downloadFiles, ...more };
		const result = await testbed.run({ ...getOrder, simplify, options });
		expect(await contentsOf(result)).toEqual({ [`${key}_1`]: 'a.txt', [`${key}_2`]: 'b.txt' });
		expect(result.items[0]?.binary?.[`${key}_1`]).toMatchObject({ fileName: 'a.txt' });
		expect(result.items[0]?.pairedItem).toEqual({ item: 0 });
	}
});

it.each(['2024', '', '未命名'])(
	'files of a field with the name %j come, also in raw records',
	async (name) => {
		for (const field of testbed.orders.fields) if (field.id === contract) field.name = name;
		await testbed.run({ ...onOrders('getFields'), resource: 'sheet' });
		for (const list of [getOrder, { ...onOrders('getAll'), returnAll: true }]) {
			for (const simplify of [true, false]) {
				const options = { downloadFiles: contract, onlyFields: contract };
				const { items, error } = await testbed.run({ ...list, simplify, options });
				expect(error).toBeUndefined();
				const files = items.flatMap(({ binary = {} }) => Object.values(binary));
				expect(files.map(({ fileName }) => fileName)).toEqual(
					expect.arrayContaining(['a.txt', 'b.txt']),
				);
			}
		}
	},
);

it.each(['standard', 'ragic'])(
	'Only Fields without the file field still downloads its files: %s',
	async (serviceDialect) => {
		const as = testbed.as('member', { serviceDialect });
		const options = { onlyFields: 'City', downloadFiles: 'Contract' };
		const result = await testbed.run({ ...getOrder, options }, [{}], as);
		expect(await contentsOf(result)).toEqual({ Contract_1: 'a.txt', Contract_2: 'b.txt' });
		const keys = ['_recordId', '_title', '_starred', 'City', 'Contract'];
		expect(result.json.map(Object.keys)).toEqual([keys]);

		const row = testbed.service.data.record(siteVisits, 5).rows(photos.id).values().next().value;
		row?.set(photo, store('p.txt'));
		const ofRows = { onlyFields: 'Site', downloadFiles: 'Photo' };
		const visit = await testbed.run({ ...getVisit, options: ofRows }, [{}], as);
		expect(await contentsOf(visit)).toEqual({ Photo_1: 'p.txt' });
	},
);

it('an unknown field is reported with the option that names it', async () => {
	const read = async (options: Record<string, string>) =>
		await testbed.errorOf({ ...getOrder, options });
	expect(await read({ onlyFields: 'City', downloadFiles: 'No Such' })).toContain(
		"'No Such' in 'Download Files'",
	);
	expect(await read({ onlyFields: 'No Such', downloadFiles: 'Contract' })).toContain(
		"'No Such' in 'Only Fields'",
	);
});

it('a read downloads the files of a field that was renamed a moment ago', async () => {
	const options = { downloadFiles: contract };
	await testbed.run({ ...getOrder, options });
	for (const field of testbed.orders.fields) if (field.id === contract) field.name = 'Agreement';
	for (const operation of ['get', 'getAll']) {
		const conditions = [{ field: '1000001', operator: 'eq', value: 'SO-00005' }];
		const result = await testbed.run({ ...getOrder, operation, filters: { conditions }, options });
		expect(await contentsOf(result)).toEqual({ Agreement_1: 'a.txt', Agreement_2: 'b.txt' });
	}
	const renamed = await testbed.errorOf({ ...getOrder, options: { downloadFiles: 'Contract' } });
	expect(renamed).toContain("'Contract' in 'Download Files' is not a field");
});

it('Download Files loads the fields once if a record is missing', async () => {
	const missing = {
		...onOrder('get', 999),
		options: { downloadFiles: contract, emptyResult: 'emptyItem' },
	};
	await testbed.run(missing);
	testbed.service.requests.forget();
	await testbed.run(missing);
	expect(testbed.readUrls).toHaveLength(1);
});

it('a read downloads an image of rich text, whose value has no prefix', async () => {
	const name = '_clipboard1700000000000.png';
	testbed.order(5).set(contract, name);
	const body = Buffer.from('\u0089PNG\r\n\u001a\n an image', 'latin1');
	testbed.inject({ kind: 'body', body, when: ({ path }) => path === '/sims/file.jsp' });
	const { items } = await testbed.run({ ...getOrder, options: { downloadFiles: 'Contract' } });
	expect(items[0]?.binary?.Contract_1).toMatchObject({ fileName: name, mimeType: 'image/png' });
	expect(items[0]?.json).not.toHaveProperty('_warning');
});

it('an unknown name in Download Files is rejected with a suggestion', async () => {
	const error = await testbed.errorOf({ ...getOrder, options: { downloadFiles: 'Contrakt' } });
	expect(error).toContain("Did you mean 'Contract'?");
});

it('a read downloads the files of rows', async () => {
	for (const row of testbed.service.data.record(siteVisits, 5).rows(photos.id).values()) {
		row.set(photo, store(`${String(row.get(photos.fields.caption))}.txt`));
	}
	for (const downloadFiles of ['Photo', photo]) {
		const result = await testbed.run({ ...getVisit, options: { downloadFiles } });
		const [first, second] = Object.values(await contentsOf(result));
		expect([first, second]).toEqual(['Front.txt', expect.stringMatching(/\.txt$/)]);
		expect(Object.keys(result.items[0]?.binary ?? {})).toEqual(['Photo_1', 'Photo_2']);
	}
});

it("the warning names a field of rows, which are missing while 'Subtables' is off", async () => {
	for (const fieldKeys of ['name', 'id']) {
		const options = { downloadFiles: `Report, ${photo}`, subtables: false, fieldKeys };
		const { json } = await testbed.run({ ...getVisit, options });
		const words = `The records do not have these fields of 'Download Files': `;
		expect(json[0]?._warning).toBe(`${words}${fieldKeys === 'id' ? photo : 'Photo'}.`);
	}
});

it('a field of the record and one of rows with the same name are told apart by their IDs', async () => {
	clearProcessState();
	const ofRecord = '1800099';
	testbed.service.data.sheet(siteVisits).fields.push({ id: ofRecord, name: 'Photo', type: 'file' });
	const visit = testbed.service.data.record(siteVisits, 5);
	visit.set(ofRecord, store('record.txt'));
	for (const row of visit.rows(photos.id).values()) row.set(photo, store('row.txt'));
	const inRows = ['row.txt', 'row.txt'];
	const wanted = { [ofRecord]: ['record.txt'], [photo]: inRows, Photo: ['record.txt', ...inRows] };
	for (const [downloadFiles, contents] of Object.entries(wanted)) {
		for (const fieldKeys of ['name', 'id']) {
			const result = await testbed.run({ ...getVisit, options: { downloadFiles, fieldKeys } });
			expect(Object.values(await contentsOf(result)).sort()).toEqual(contents);
		}
	}
});

it('a list downloads the files of each record, and names the missing ones', async () => {
	testbed.order(6).set(contract, ['gone@old.pdf', store('c.txt')]);
	const { reference } = orders.fields;
	for (const id of [5, 6, 7]) testbed.order(id).set(reference, 'these');
	const conditions = [{ field: reference, operator: 'eq', value: 'these' }];
	const list = { ...onOrders('getAll'), returnAll: true, filters: { conditions } };
	const result = await testbed.run({ ...list, options: { downloadFiles: 'Contract' } });
	const visible = result.items.map(({ json: { _recordId, _warning }, binary = {} }) => {
		return [_recordId, Object.keys(binary), _warning];
	});
	const expectedWarning = expect.stringMatching(
		/^'old.pdf' of 'Contract' was not downloaded: .+\.$/,
	);
	expect(visible.sort()).toEqual([
		[5, ['Contract_1', 'Contract_2'], undefined],
		[6, ['Contract_2'], expectedWarning],
		[7, [], undefined],
	]);
	const downloads = testbed.reads.filter(({ path }) => path === '/sims/file.jsp');
	expect(downloads).toHaveLength(4);
});

it('a read fails if a file cannot be fetched for another reason', async () => {
	testbed.refuse(({ path }) => path === '/sims/file.jsp', 9, 303, 'The account has expired.');
	const error = await testbed.errorOf({ ...getOrder, options: { downloadFiles: 'Contract' } });
	expect(error).toContain('The account has expired');
});

it.each<Partial<Fault> & Pick<Fault, 'kind'>>([
	{ kind: 'reset' },
	{ kind: 'status', status: 429, body: '' },
	{ kind: 'status', status: 500, body: '' },
	{ kind: 'status', status: 503, body: '' },
	{ kind: 'body', body: '{"status":"ERROR","code":204,"msg":"Too frequent"}' },
	{ kind: 'status', status: 401, body: '' },
])('a read fails if the trouble with a file is not about this file: %j', async (fault) => {
	const when = ({ path }: SeenRequest) => path === '/sims/file.jsp';
	testbed.inject({ ...fault, when, times: Infinity });
	const parameters = { ...getOrder, options: { downloadFiles: 'Contract' } };
	expect((await testbed.run(parameters)).error).toBeDefined();
});

it('each missing file of a field is named with its reason', async () => {
	const files = ['gone@one.pdf', store('c.txt'), 'gone@two.pdf'];
	testbed.order(6).set(contract, files);
	const result = await testbed.run({
		...onOrder('get', 6),
		options: { downloadFiles: 'Contract' },
	});
	expect(Object.keys(result.items[0]?.binary ?? {})).toEqual(['Contract_2']);
	expect(result.json[0]?._warning).toMatch(
		/^'one.pdf'.* of 'Contract' was not downloaded: .+\. 'two.pdf' of 'Contract' was not downloaded: .+\.$/,
	);
});

it('files that are refused for the same reason are named together, and the reason once', async () => {
	testbed.order(6).set(contract, ['a@one.pdf', 'a@two.pdf']);
	testbed.refuse(({ path }) => path === '/sims/file.jsp', 9);
	const parameters = { ...onOrder('get', 6), options: { downloadFiles: 'Contract' } };
	const { json } = await testbed.run(parameters);
	expect(json[0]?._warning).toBe(
		"'one.pdf', 'two.pdf' of 'Contract' were not downloaded: Error executing the request: No.",
	);
});

it.each([
	{ downloadFiles: 'Contract, 1999999', more: {}, absent: '1999999' },
	{ downloadFiles: 'Contract', more: { listing: true }, absent: 'Contract' },
	{ downloadFiles: contract, more: { listing: true, fieldKeys: 'id' }, absent: contract },
	{ downloadFiles: 'Contract, Order Number', more: { listing: true }, absent: 'Contract' },
])(
	'a field that the records lack is named: $downloadFiles with $more',
	async ({ downloadFiles, more, absent }) => {
		for (const simplify of [true, false]) {
			const parameters = { ...onOrders('getAll'), limit: 2, simplify };
			const { json } = await testbed.run({ ...parameters, options: { downloadFiles, ...more } });
			const warning = `The records do not have these fields of 'Download Files': ${absent}.`;
			expect(json.map(({ _warning }) => _warning)).toEqual([warning, undefined]);
		}
	},
);
