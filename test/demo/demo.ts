import { inTrustingProcess } from '../trustingProcess';
import { emphasised, print } from './display';

async function demonstrate(): Promise<number> {
	const { showWorkflows } = await import('./showWorkflows');
	const { showTrigger } = await import('./showTrigger');
	const exitCode = (await showWorkflows()) || (await showTrigger());
	if (exitCode !== 0) return exitCode;
	print();
	print(emphasised('What to try next'));
	print();
	print('  npm run service      start the service alone: it prints its address, its keys and');
	print('                       a certificate to trust, for curl or for an n8n of your own');
	print('  in n8n               install this package, import test/workflows/records.json, and');
	print('                       choose a credential for the service in its Sheet Records nodes');
	print('  npm test             everything else that the nodes promise');
	return 0;
}

void inTrustingProcess(__filename, demonstrate).then((exitCode) => {
	process.exitCode = exitCode;
});
