import { fromServiceDate } from '../../values/dates';
import { dateTimeForm, numberForm, switchForm } from '../../values/normalForm';
import {
	compareNumbers,
	isSameNumber,
	toDateForm,
	toNumberForm,
	toSwitchForm,
} from './valueChecks';

type AreSame = (stored: string, text: string) => boolean;

/** The relations between a stored text and another text of one kind of fields. Identical texts have all of them. */
export interface Sameness {
	/** Returns the same text for all texts of equal value. A match field finds the records with an equal value. */
	normalize: (text: string) => string;
	/** Whether `eq` of the service finds the stored text by the text of a condition. */
	isFoundBy: AreSame;
	/** Whether writing the text certainly leaves the stored text unchanged. */
	isUnchanged: AreSame;
	/** Whether a saved text stands for a sent text, so that nothing was lost. */
	isKept: AreSame;
}

/** Numbers in the format of a number field, with or without thousands separators. A code such as `0612` does not match. */
export const writtenNumber = /^-?(?:0|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d*)(?:\.\d+)?$/;

const areWritten = (stored: string, text: string) =>
	writtenNumber.test(stored) && writtenNumber.test(text);

const never: AreSame = () => false;
const sameDate: AreSame = (stored, text) => toDateForm(stored) === toDateForm(text);
const sameNumber: AreSame = (stored, text) => toNumberForm(stored) === toNumberForm(text);
const sameSwitch: AreSame = (stored, text) => toSwitchForm(stored) === toSwitchForm(text);
const sameWrittenNumber: AreSame = (stored, text) =>
	areWritten(stored, text) && sameNumber(stored, text);

/** Returns whether the text of a condition means the stored word of a checkbox. Conditions may also say 1 and 0. */
const isSwitchFoundBy: AreSame = (stored, text) => {
	const form = switchForm(stored);
	const digits: Readonly<Record<string, string>> = { 1: 'true', 0: 'false' };
	return form !== undefined && form === (digits[text] ?? switchForm(text));
};

/** Returns whether a saved time is the sent one without its seconds. */
const isSameMinute: AreSame = (saved, sent) =>
	/ \d{1,2}:\d{2}$/.test(saved) && areSameUpTo('yyyy/MM/dd HH:mm', saved, sent);

/** Returns whether a saved day is that of the sent time. */
const isSameDay: AreSame = (saved, sent) =>
	!saved.includes(':') && areSameUpTo('yyyy/MM/dd', saved, sent);

/** Returns whether two texts are dates that are the same as far as the format goes. */
function areSameUpTo({ length }: string, saved: string, sent: string): boolean {
	const [savedForm, sentForm] = [dateTimeForm(saved), dateTimeForm(sent)];
	return savedForm !== undefined && savedForm.slice(0, length) === sentForm?.slice(0, length);
}

const identical: Sameness = {
	normalize: (text) => text,
	isFoundBy: never,
	isUnchanged: never,
	isKept: never,
};

const dateTime: Sameness = {
	normalize: toDateForm,
	// Filters only understand the service's own format (specification, endpoint 1, filter rule 2).
	isFoundBy: (stored, text) =>
		[stored, text].every((date) => fromServiceDate(date) !== undefined) && sameDate(stored, text),
	isUnchanged: sameDate,
	// A field may display a time without its seconds.
	isKept: (saved, sent) => sameDate(saved, sent) || isSameMinute(saved, sent),
};

/** The relations of each kind, known or inferred, if they differ from `identical`. */
export const sameness = {
	identical,
	dateTime,
	date: {
		...dateTime,
		isKept: (saved, sent) => dateTime.isKept(saved, sent) || isSameDay(saved, sent),
	},
	number: {
		normalize: toNumberForm,
		isFoundBy: (stored, text) =>
			![stored, text].some((number) => number.includes(',')) && compareNumbers(stored, text) === 0,
		// It is not documented whether the service accepts thousands separators.
		isUnchanged: (stored, written) => !written.includes(',') && sameNumber(stored, written),
		isKept: isSameNumber,
	},
	// Some numbers may be codes, so `612` and `0612` are different.
	inferredNumber: {
		normalize: (text) => (writtenNumber.test(text) ? (numberForm(text) ?? text) : text),
		isFoundBy: sameWrittenNumber,
		isUnchanged: never,
		isKept: (saved, sent) => areWritten(saved, sent) && isSameNumber(saved, sent),
	},
	checkbox: {
		normalize: toSwitchForm,
		isFoundBy: isSwitchFoundBy,
		isUnchanged: sameSwitch,
		isKept: sameSwitch,
	},
	// The field may hold texts.
	inferredCheckbox: {
		normalize: toSwitchForm,
		isFoundBy: isSwitchFoundBy,
		isUnchanged: never,
		isKept: sameSwitch,
	},
	// The service may return markup as HTML, so the texts cannot be compared.
	richText: { ...identical, isKept: (saved) => saved !== '' },
	unknown: {
		...identical,
		isFoundBy: (stored, text) => /^(?:true|false)$/i.test(text) && isSwitchFoundBy(stored, text),
	},
} as const satisfies Readonly<Record<string, Sameness>>;
