import { clearProcessState } from '../../../../../nodes/api/http/processState';
import { RecordMemory, recordMemory } from '../../../../../nodes/api/read/memory/recordMemory';
import { FakeService } from '../../http/fakeService';
import { passTime, withPassingTime } from '../../passingTime';

const key = new Map([['7', ['value']]]);
const content = new Map([['7', 'value']]);

beforeEach(() => clearProcessState());
withPassingTime();

describe('what a process knows of the records of a sheet', () => {
	it('a record that is gone for a user stays a candidate for others, until it is written again', () => {
		const [first, second] = ['a', 'b'].map((user) => new RecordMemory('sheet', user));
		first?.wrote('1', content);
		first?.deleted('1');
		expect([first?.find(key), second?.find(key)]).toEqual([[], ['1']]);
		expect([first?.mayBeGone('1'), second?.mayBeGone('1')]).toEqual([true, true]);
		second?.wrote('1', [['8', 'restored']]);
		expect([first?.find(key), first?.mayBeGone('1')]).toEqual([['1'], false]);
	});

	it('a value that was read counts as written, and a mask does not', () => {
		const memory = new RecordMemory('sheet', 'user');
		memory.read('1', [
			['7', 'value'],
			['8', '****'],
		]);
		expect(memory.find(key)).toEqual(['1']);
		expect(memory.writtenForms('1', '8')).toBeUndefined();
	});

	it('a creation is uncertain for ten minutes, or until its outcome is known', () => {
		const memory = new RecordMemory('sheet', 'user');
		memory.setUncertain('key', true);
		expect([memory.isUncertain('key'), memory.isUncertain('other')]).toEqual([true, false]);
		memory.setUncertain('key', false);
		expect(memory.isUncertain('key')).toBe(false);
		memory.setUncertain('key', true);
		passTime(10 * 60_000);
		expect(memory.isUncertain('key')).toBe(false);
	});
});

describe('the contents that a run has read', () => {
	it.each([
		{ required: 'any', seconds: 60_000, isKnown: true },
		{ required: 'recent', seconds: 59, isKnown: true },
		{ required: 'recent', seconds: 60, isKnown: false },
		{ required: 'current', seconds: 59, isKnown: true },
		{ required: 'current', seconds: 60, isKnown: false },
	] as const)(
		'$required content may be $seconds seconds old: $isKnown',
		({ required, seconds, isKnown }) => {
			const contents = new RecordMemory('sheet', 'user').contents();
			contents.add('1', content);
			passTime(seconds * 1_000);
			expect(contents.get('1', required)).toBe(isKnown ? content : undefined);
		},
	);

	it('after a write to any sheet of the run, no content is current', async () => {
		const client = await new FakeService(() => ({ body: {} })).connect();
		const [memory, other] = [1, 2].map((sheetIndex) =>
			recordMemory(client, { folders: ['sales'], sheetIndex }),
		);
		const contents = memory?.contents();
		contents?.add('1', content);
		other?.sent('1');
		expect(contents?.get('1', 'current')).toBeUndefined();
		expect(contents?.get('1', 'recent')).toBe(content);
	});

	it('the content of a written record is dropped, and lists do not replace it', () => {
		const memory = new RecordMemory('sheet', 'user');
		const contents = memory.contents();
		contents.add('1', content);
		memory.sent('1');
		expect(contents.get('1', 'any')).toBeUndefined();
		contents.addListed('1', content);
		expect([contents.get('1', 'any'), contents.mayBeListed('1')]).toEqual([undefined, false]);
		contents.add('1', content);
		expect(contents.get('1', 'current')).toBe(content);
	});

	it('a new record makes no other content current, and drops none', () => {
		const memory = new RecordMemory('sheet', 'user');
		const contents = memory.contents();
		contents.add('1', content);
		memory.sent();
		expect([contents.get('1', 'any'), contents.get('1', 'current')]).toEqual([content, undefined]);
	});
});
