import { parseArgs } from 'node:util';
import { orders, startReferenceService } from './index';

/** Starts the reference service on its own: `npm run service -- [--port N] [--records N]`. */
async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: '8443' },
			records: { type: 'string', default: '2500' },
		},
	});
	const service = await startReferenceService({
		port: Number(values.port),
		demoRecords: Number(values.records),
	});
	const { baseUrl, account, caCertificatePath, identities } = service;
	const sheetUrl = `${baseUrl}/${account}/${orders.path}/${orders.index}`;
	const { apiKey } = identities.member;
	console.log(`Reference service:     ${baseUrl} (account ${account})`);
	console.log(`Certificate authority: ${caCertificatePath}`);
	console.log('These identities exist in the demo data only:');
	console.table(
		Object.values(identities).map(({ groups, ...identity }) => ({
			...identity,
			groups: groups.join(', '),
		})),
	);
	console.log('For example:');
	console.log(
		`curl --cacert '${caCertificatePath}' -H 'Authorization: Basic ${apiKey}' '${sheetUrl}?api&limit=1'`,
	);
	console.log('Ctrl-C ends it.');
	process.once('SIGINT', () => void service.close());
	process.once('SIGTERM', () => void service.close());
}

void main();
