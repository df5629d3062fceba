import { FormData } from 'undici';

import { siteVisits } from '../../service';
import { addressOf } from './client';
import { useService } from './useService';

const { service, client } = useService();
const { photos, findings } = siteVisits.subtables;
const { caption, photo } = photos.fields;

type Part = [name: string, text: string] | [name: string, text: string, fileName: string];

/** Sends parts of a form, those with a file name as files, to a visit or, without an id, for a new one. */
async function send(parts: Part[], id?: number): Promise<unknown> {
	const body = new FormData();
	for (const [name, text, fileName] of parts) {
		if (fileName === undefined) body.append(name, text);
		else body.append(name, new Blob([text]), fileName);
	}
	const { member } = service().identities;
	return (await client().send('POST', addressOf(siteVisits, id), member, { body })).json();
}

const rowsOf = (id: number, subtableId: string = photos.id) => [
	...service().data.record(siteVisits, id).rows(subtableId),
];

/** What the files of a value hold. */
const contentsOf = (value: unknown) =>
	[value].flat().map((text) => service().data.files.get(String(text))?.content.toString());

describe('files for the rows of subtables', () => {
	it('go into new rows, with values and without, several by repeating the name', async () => {
		const before = rowsOf(1);
		const answer = await send(
			[
				[`${caption}_-1`, 'Door'],
				[`${photo}_-1`, 'first', 'door.jpg'],
				[`${photo}_-1`, 'second', 'door 2.jpg'],
				[`${photo}_-2`, 'third', 'wall.jpg'],
			],
			1,
		);
		const [door, wall] = rowsOf(1).slice(before.length);
		expect(rowsOf(1)).toEqual([...before, door, wall]);
		expect(door?.[1].get(caption)).toBe('Door');
		expect(contentsOf(door?.[1].get(photo))).toEqual(['first', 'second']);
		expect(contentsOf(wall?.[1].get(photo))).toEqual(['third']);
		expect(answer).toMatchObject({
			status: 'SUCCESS',
			data: {
				[`_subtable_${photos.id}`]: {
					[String(door?.[0])]: {
						[caption]: 'Door',
						[photo]: [
							'',
							expect.stringMatching(/@door\.jpg$/),
							expect.stringMatching(/@door 2\.jpg$/),
						],
					},
					[String(wall?.[0])]: { [caption]: '', [photo]: expect.stringMatching(/@wall\.jpg$/) },
				},
			},
		});
	});

	it('go into rows that are there, beside the files that they hold', async () => {
		const [[rowId] = []] = rowsOf(2);
		await send([[`${photo}_${rowId}`, 'old', 'a.jpg']], 2);
		await send([[`${photo}_${rowId}`, 'new', 'a.jpg']], 2);
		expect(contentsOf(rowsOf(2)[0]?.[1].get(photo))).toEqual(['old', 'new']);
		expect(rowsOf(2)[0]?.[1].get(caption)).toBe('Front');
	});

	it('go into the rows of a new record, of several subtables', async () => {
		const answer = await send([
			[siteVisits.fields.site, 'Bridge'],
			[`${photo}_-1`, 'photo', 'a.jpg'],
			[`${findings.fields.evidence}_-1`, 'evidence', 'b.jpg'],
		]);
		expect(answer).toMatchObject({ status: 'SUCCESS', svcId: 13 });
		expect(contentsOf(rowsOf(13)[0]?.[1].get(photo))).toEqual(['photo']);
		const [[, finding] = []] = rowsOf(13, findings.id);
		expect(contentsOf(finding?.get(findings.fields.evidence))).toEqual(['evidence']);
	});

	it('are cleared by an empty value, and taken as files only', async () => {
		const [[rowId] = []] = rowsOf(2);
		await send([[`${photo}_${rowId}`, 'old', 'a.jpg']], 2);
		const write = async (value: string) =>
			(
				await client().postJson(addressOf(siteVisits, 2), {
					[`_subtable_${photos.id}`]: { [String(rowId)]: { [photo]: value } },
				})
			).json();
		expect(await write('x@new.jpg')).toMatchObject({ status: 'ERROR', code: 201 });
		expect(contentsOf(rowsOf(2)[0]?.[1].get(photo))).toEqual(['old']);
		expect(await write('')).toMatchObject({ status: 'SUCCESS' });
		expect(rowsOf(2)[0]?.[1].get(photo)).toEqual([]);
	});

	it.each([
		['a row that is not there', `${photo}_777`],
		['a field that takes none', `${caption}_-1`],
		['a field that no subtable has', '3899999_-1'],
		['a field of the record itself', `${siteVisits.fields.report}_-1`],
		['a field of a row without its row', photo],
	])('are refused for %s, and leave nothing behind', async (_, name) => {
		const { size } = service().data.files;
		const before = rowsOf(3);
		expect(await send([[name, 'x', 'x.jpg']], 3)).toMatchObject({ status: 'ERROR', code: 201 });
		expect(rowsOf(3)).toEqual(before);
		expect(service().data.files.size).toBe(size);
	});
});
