import { customers, orders, type IdentityName } from '../../service';
import { sheet, useRecordWorld } from '../recordWorld';
import { createCustomer, readOrder } from '../oneRequest';

const world = useRecordWorld();

const identities: IdentityName[] = ['admin', 'member', 'reader', 'outsider'];
const namesSeen = () => world.service.requests.all().map(({ identity }) => identity);

/** A list whose filter needs every kind of encoding: a comma, `%25` as text, and several conditions. */
const trickyList = {
	operation: 'getAll',
	sheet: sheet(orders),
	filterMode: 'raw',
	where: [
		`${orders.fields.remark},like,a, b & c=d+e`,
		`${orders.fields.remark},like,50%25 "ü"`,
	].join('\n'),
};

describe('the key in the header', () => {
	it.each(identities)('goes raw behind Basic, without a colon: %s', async (name) => {
		await world.run(readOrder(), [{}], { credentials: world.credentials(name) });
		const { apiKey } = world.service.identities[name];
		const [request] = world.service.requests.all();
		// Who is refused is asked about once more.
		expect(world.service.requests.count).toBe(name === 'outsider' ? 2 : 1);
		expect(request?.headers.authorization).toBe(`Basic ${apiKey}`);
		expect(request?.identity).toBe(name);
	});

	it('is nowhere else, also in a write', async () => {
		const result = await world.run(createCustomer());
		expect(result.status).toBe('success');
		const [request] = world.writes;
		const { authorization, ...otherHeaders } = request?.headers ?? {};
		const { apiKey } = world.service.identities.member;
		expect(authorization).toBe(`Basic ${apiKey}`);
		expect(request?.query.map(([parameter]) => parameter)).not.toContain('APIKey');
		expect(request?.rawUrl).not.toContain(encodeURIComponent(apiKey));
		expect(JSON.stringify([otherHeaders, request?.body])).not.toContain(apiKey);
		expect(otherHeaders).not.toHaveProperty('cookie');
	});

	it('loses the blanks of a careless copy', async () => {
		const { apiKey } = world.service.identities.member;
		const credentials = world.credentials('member', { apiKey: ` ${apiKey}\n` });
		const result = await world.run(readOrder(), [{}], { credentials });
		expect(result.status).toBe('success');
		expect(world.reads[0]?.headers.authorization).toBe(`Basic ${apiKey}`);
	});
});

describe('the key in the query', () => {
	const inQuery = (name: IdentityName = 'member') => ({
		credentials: world.credentials(name, { apiKeyIn: 'query' }),
	});

	it.each(identities)('is encoded once and comes last: %s', async (name) => {
		await world.run(readOrder(), [{}], inQuery(name));
		const [request] = world.service.requests.all();
		const key = encodeURIComponent(world.service.identities[name].apiKey);
		expect(request?.rawUrl).toMatch(/^\/acme\/sales\/orders\/1\/1\?api&/);
		expect(request?.rawUrl.endsWith(`&APIKey=${key}`)).toBe(true);
		expect(request?.identity).toBe(name);
	});

	it('is not in a header as well', async () => {
		const result = await world.run(createCustomer(), [{}], inQuery());
		expect(result.status).toBe('success');
		const [request] = world.writes;
		expect(request?.identity).toBe('member');
		expect(request?.headers).not.toHaveProperty('authorization');
		expect(request?.headers).not.toHaveProperty('cookie');
		expect(JSON.stringify(request?.headers)).not.toContain(world.service.identities.member.apiKey);
	});

	it('leaves the query before it byte for byte as it is', async () => {
		await world.run(trickyList);
		await world.run(trickyList, [{}], inQuery());
		const [withHeader, withQuery] = world.reads.map(({ rawUrl }) => rawUrl);
		const key = encodeURIComponent(world.service.identities.member.apiKey);
		expect(withHeader).toContain('%252');
		expect(withQuery).toBe(`${withHeader}&APIKey=${key}`);
	});
});

describe('a key for each item', () => {
	it('is the one of the credential that the item chose', async () => {
		const result = await world.run(
			readOrder({ authentication: '={{ $json.by }}' }),
			[{ by: 'apiKey' }, { by: 'session' }],
			{ credentials: { ...world.credentials('admin'), ...world.sessionCredentials('reader') } },
		);
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(namesSeen().filter(Boolean)).toEqual(['admin', 'reader']);
	});
});

describe('a wrong key', () => {
	it.each([
		['status401', 1],
		['code105', 1],
		// A good key may be taken for a guest's now and then.
		['code106', 2],
		['code304', 1],
	] as const)(
		'is told after as many requests as it takes to be sure: %s',
		async (wrongKeyAnswer, requests) => {
			world.service.switches.wrongKeyAnswer = wrongKeyAnswer;
			const credentials = world.credentials('member', { apiKey: 'bm90LWEta2V5LWF0LWFsbA==' });
			const result = await world.run(readOrder(), [{}], { credentials });
			expect(result.status).toBe('error');
			expect(result.error?.message).toMatch(/credential|Authentication|No access|secret key/);
			expect(result.error?.description).toMatch(/credential|API key/i);
			expect(result.error?.name).toBe('NodeApiError');
			expect(world.service.requests.count).toBe(requests);
			expect(result.recorded).not.toContain('bm90LWEta2V5LWF0LWFsbA==');
		},
	);

	it('does not change anything', async () => {
		const before = world.service.data.sheet(customers).records.size;
		const credentials = world.credentials('member', { apiKey: 'bm90LWEta2V5LWF0LWFsbA==' });
		const result = await world.run(createCustomer(), [{}], { credentials });
		expect(result.status).toBe('error');
		expect(world.writes).toHaveLength(1);
		expect(world.service.data.sheet(customers).records.size).toBe(before);
	});
});
