import { offeredOperations } from './operations';

type Offered = Awaited<ReturnType<typeof offeredOperations>>[number];

const nameOf = ({ resource, operation }: Offered) => `${resource.name}: ${operation.name}`;

/** A model, and a person who writes 'Tool Description', learns from the description of an operation when to use it and when not. */
it('the description of each operation names another operation, for what it is not meant for', async () => {
	const operations = await offeredOperations();
	expect(operations.length).toBeGreaterThan(25);
	const wholeNames = new Set(operations.map(nameOf));
	const unclear = operations.filter(({ resource, operation }) => {
		// n8n's lint prescribes the description of an upsert.
		if (operation.value === 'upsert') return false;
		const [, other] = /, use ([A-Z][A-Za-z: ]+)\.$/.exec(operation.description) ?? [];
		if (other === undefined) return true;
		const named = other.includes(': ') ? other : `${resource.name}: ${other}`;
		return !wholeNames.has(named) || named === `${resource.name}: ${operation.name}`;
	});
	expect(unclear.map(({ operation }) => operation.description || operation.name)).toEqual([]);
});

it('the description of each operation is short enough for the list of operations', async () => {
	const operations = await offeredOperations();
	const long = operations.filter(({ operation }) => operation.description.length > 170);
	expect(long.map(nameOf)).toEqual([]);
});
