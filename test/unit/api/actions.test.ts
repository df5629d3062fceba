import { actionButtonsOf } from '../../../nodes/api/actions';
import { parseOrderedJson } from '../../../nodes/api/json/orderedJson';

describe('action buttons', () => {
	const buttons = '[{"id":4,"name":"Ship"},{"id":"b-7","name":""},{"id":9},{"name":"none"},5]';
	const read = [
		{ buttonId: '4', name: 'Ship' },
		{ buttonId: 'b-7', name: '' },
		{ buttonId: '9', name: '9' },
	];

	it.each([buttons, `{"actionButtons":${buttons}}`])('are read in either shape: %s', (text) => {
		expect(actionButtonsOf(parseOrderedJson(text))).toEqual(read);
	});

	it.each(['{}', '[]', '{"actionButtons":[]}'])('are none: %s', (text) => {
		expect(actionButtonsOf(parseOrderedJson(text))).toEqual([]);
	});

	it.each(['"x"', '1', 'null', '{"a":1}', '{"actionButtons":{}}'])('are no list: %s', (text) => {
		expect(actionButtonsOf(parseOrderedJson(text))).toBeUndefined();
	});
});
