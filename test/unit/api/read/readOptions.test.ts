import { connectionOf } from '../../../../nodes/api/http/connection';
import { readOptionParameters, readOptionsBy } from '../../../../nodes/api/read/readOptions';

/** Returns the IDs of the fields that the request contains when this number of fields is needed. */
function requestedOf(count: number, serviceDialect: string): string[] {
	const credential = { baseUrl: 'https://host', account: 'acme', apiKey: 'key', serviceDialect };
	const fields = Array.from({ length: count }, (_, index) => `${1_000_001 + index}`);
	const options = { ...readOptionsBy('EID'), fields };
	return readOptionParameters(options, connectionOf('sheetRecordsApi', credential))
		.filter(([name]) => name === 'fetchDomainIds')
		.map(([, fieldId]) => String(fieldId));
}

it.each([
	{ count: 1, serviceDialect: 'ragic', requested: 1 },
	{ count: 20, serviceDialect: 'ragic', requested: 20 },
	// All fields are read then, because items would lack fields otherwise.
	{ count: 21, serviceDialect: 'ragic', requested: 0 },
	{ count: 1, serviceDialect: 'standard', requested: 0 },
])('$count fields of a $serviceDialect service: $requested are requested', (row) => {
	expect(requestedOf(row.count, row.serviceDialect)).toHaveLength(row.requested);
});
