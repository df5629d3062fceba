import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { questions, unasked } from '../../probe/questions';
import { probe, type Row } from '../../probe/probe';
import type { Switches } from '../../service';
import { defaultSwitches, positions } from '../../service/switches';
import {
	addScratchSheet,
	openScratchSheet,
	savedDelivery,
	service,
	withService,
} from './scratchSheet';

const askedNames = questions.flatMap(({ about }) => about ?? []);

/** All positions but the first. The first is the default, which a whole run of the probe reports. */
const cases = askedNames.flatMap((name) =>
	positions[name].slice(1).map((position): [keyof Switches, unknown] => [name, position]),
);

withService();

async function ask(name: keyof Switches): Promise<Row[]> {
	const asked = questions.filter(({ about }) => about === name);
	const sheet = openScratchSheet(service, { delivery: savedDelivery(service) });
	return (await probe(sheet, asked)).rows;
}

/** Returns the expected position. The probe always sees only the status word of a successful task. */
function asSeen(name: keyof Switches, standsFor: unknown): unknown {
	return name === 'taskWords' ? expect.objectContaining({ ...Object(standsFor) }) : standsFor;
}

describe('the probe', () => {
	it('asks about every switch once, or gives the reason why it does not', () => {
		const askedNames = [...questions, ...unasked].flatMap(({ about }) => about ?? []);
		expect(askedNames.sort()).toEqual(Object.keys(defaultSwitches()).sort());
	});

	it('asks about every open point that has no switch, or gives the reason why it does not', () => {
		const page = readFileSync(join(__dirname, '../../service/README.md'), 'utf8');
		const points = [...page.matchAll(/^\| (.+?) \| .+? \| – \| .+ \|$/gm)].map(
			([, point]) => point,
		);
		const withoutSwitch = [...questions, ...unasked].filter(({ about }) => about === undefined);
		expect(withoutSwitch.map(({ point }) => point).sort()).toEqual(points.sort());
	});

	it.each(cases)('reports %s = %j', async (name, position) => {
		const sheet = addScratchSheet(service);
		const before = sheet.records.size;
		Object.assign(service.switches, { [name]: position });
		const [row] = await ask(name);
		expect(row).toMatchObject({ about: name });
		expect(row).toHaveProperty('standsFor');
		expect(position).toEqual(row && 'standsFor' in row ? asSeen(name, row.standsFor) : undefined);
		expect(sheet.records.size).toBe(before);
	});
});
