import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { packageName, packageTypes } from '../runner';
import { fewTexts, nastyKinds, nastyTexts } from './corpus';
import { readAlike, wholeRuns } from './wholeRuns';

/** The operations that have a parameter which takes a text, by the place of the parameter. */
async function textParameters(): Promise<Map<string, Set<string>>> {
	const types = await packageTypes();
	const { properties } = types.getByNameAndVersion(`${packageName}.sheetRecords`).description;
	const found = new Map<string, Set<string>>();
	for (const property of properties) {
		const { resource = [], operation = [] } = property.displayOptions?.show ?? {};
		const operations = resource.flatMap((one) => operation.map((other) => `${one}.${other}`));
		for (const place of placesIn(property)) {
			found.set(place, new Set([...(found.get(place) ?? []), ...operations]));
		}
	}
	return found;
}

function placesIn({ name, type, options = [], typeOptions }: INodeProperties): string[] {
	const inner = options.flatMap((option) => {
		if (isGroup(option)) {
			return option.values.flatMap(placesIn).map((place) => `${option.name}.${place}`);
		}
		return 'type' in option ? placesIn(option) : [];
	});
	const isText =
		['string', 'json', 'resourceLocator', 'resourceMapper'].includes(type) ||
		typeOptions?.loadOptionsMethod !== undefined;
	return isText ? [name] : inner.map((place) => `${name}.${place}`);
}

function isGroup(
	option: INodePropertyOptions | INodeProperties | INodePropertyCollection,
): option is INodePropertyCollection {
	return 'values' in option;
}

it('every parameter that takes a text is given all nasty texts by an operation that has it', async () => {
	const parameters = await textParameters();
	expect(parameters.size).toBeGreaterThan(35);
	const places = [...parameters.keys()].filter((place) => !readAlike.has(place));
	// One that is new belongs into `readAlike` or `wholeRuns` of ./wholeRuns.ts.
	expect(places.sort()).toEqual([...wholeRuns.keys()].sort());
	for (const [place, { operation }] of wholeRuns) {
		expect([place, ...(parameters.get(place) ?? [])]).toContain(operation);
	}
	for (const [place, other] of readAlike) {
		expect([place, parameters.has(place), wholeRuns.has(other)]).toEqual([place, true, true]);
	}
});

it('the files that give them hold themselves to it', () => {
	for (const { file } of wholeRuns.values()) {
		const path = join(__dirname, `${file}.test.ts`);
		expect(existsSync(path) && readFileSync(path, 'utf8')).toContain(`expectWholeRuns('${file}')`);
	}
});

it('the texts are at least 500, each another one, and some of each kind are always given', () => {
	const all = nastyKinds.flat();
	expect(all.length).toBeGreaterThanOrEqual(500);
	expect(new Set(all).size).toBe(all.length);
	for (const texts of nastyKinds) {
		expect(texts.filter((text) => nastyTexts.includes(text))).not.toEqual([]);
	}
	expect(fewTexts.filter((text) => !nastyTexts.includes(text))).toEqual([]);
	expect(fewTexts).toHaveLength(10);
});
