import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { version } from '../../package.json';
import { ProbeClient } from './client';
import { readOrder, usage, WrongCall } from './commandLine';
import { isClean, probe } from './probe';
import { unasked } from './questions';
import { ScratchSheet } from './scratchSheet';
import { report, reportAsJson } from './table';

/** Minimum interval between requests. The service allows five requests per second (specification, "Limits"). */
const intervalMilliseconds = 250;

const certificateHint =
	'A service behind a certificate of its own is trusted by NODE_EXTRA_CA_CERTS=<file of its authority>.';

/** Runs `npm run probe`: asks a service the open questions, and prints the findings. */
async function main(): Promise<number> {
	const {
		sheet: path,
		fields,
		mayWrite,
		delivery,
		asJson,
		...connection
	} = readOrder(process.argv.slice(2), process.env);
	const clock = {
		now: () => performance.now(),
		wait: async (milliseconds: number) => await wait(milliseconds),
	};
	const client = new ProbeClient({ ...connection, clock, intervalMilliseconds });
	process.stderr.write(`Asking, which takes one to three minutes …\n`);
	const saved = delivery === undefined ? undefined : readFileSync(delivery, 'utf8');
	const sheet = new ScratchSheet(client, path, fields, mayWrite, saved);
	const { rows, left } = await probe(sheet);
	const [first] = rows;
	if (first && rows.every((row) => 'notAsked' in row) && 'notAsked' in first) {
		process.stderr.write(`Nothing could be asked: ${first.notAsked}\n${certificateHint}\n`);
		return 1;
	}
	const result = { rows: [...rows, ...unasked], left };
	const date = new Date().toISOString().slice(0, 10);
	const heading = { version, date, mayWrite, ...client.effort };
	const text = asJson ? reportAsJson(result, heading) : report(result, heading);
	process.stdout.write(client.visible(text));
	return isClean(result) ? 0 : 1;
}

main().then(
	(exitCode) => {
		process.exitCode = exitCode;
	},
	(error: unknown) => {
		if (!(error instanceof WrongCall)) throw error;
		process.stderr.write(`${error.message}\n${usage}\n`);
		process.exitCode = 2;
	},
);
