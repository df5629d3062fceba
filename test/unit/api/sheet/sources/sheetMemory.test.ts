import { SheetFields } from '../../../../../nodes/api/sheet/sheetFields';
import { beginAnew, useSources } from './fieldSources';

beginAnew();

const fieldCount = 500;
const fields = Array.from({ length: fieldCount }, (_, index) => ({
	fieldId: String(1_000_001 + index),
	fieldName: `Name ${index}`,
	type: 'text',
}));

/** Loads the fields of this many sheets of 500 fields, each in a run of its own. Returns the number of requests. */
async function load(sheetCount: number): Promise<number> {
	const { newRun, asked } = service;
	for (let sheetIndex = 1; sheetIndex <= sheetCount; sheetIndex++) {
		await new SheetFields(await newRun(), { folders: ['sales'], sheetIndex }).load();
	}
	return asked().length;
}

let service: ReturnType<typeof useSources>;
beforeEach(() => {
	service = useSources({ schema: { body: { fields } } });
});

it('the next runs on 300 sheets of 500 fields ask for no fields again', async () => {
	expect([await load(300), await load(300)]).toEqual([300, 0]);
});

it('of more than 200,000 fields, those of the sheets that were used longest ago are dropped', async () => {
	await load(401);
	const usedLast = new SheetFields(await service.newRun(), { folders: ['sales'], sheetIndex: 2 });
	expect((await usedLast.load()).fields).toHaveLength(fieldCount);
	expect(service.asked()).toEqual([]);
	expect(await load(1)).toBe(1);
});
