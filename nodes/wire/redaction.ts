import { findForm, soughtForm } from './formSearch';
import type { Place } from './formSearch';
import { bytesOf, plainSpelling, spellingsBelow } from './spellings';
import { cutMark, holdsHalfCharacter } from './text';

/** What stands where a secret was. */
export const redactionMark = '***';

/** Names of query parameters whose values are secret: key, session, password (specification, "Authentication"). */
const secretParameters = /((?:[?&]|&amp;|\\u0026)(?:APIKey|sid|p)=)[^&\s"'<>#\\]*/gi;
const basicIdentity = /(\bBasic\s+)[A-Za-z0-9+/=_-]{6,}/gi;
/** Less of a secret tells nothing of it. */
const shortestBeginning = 4;

/**
 * A text without the given secrets, in whichever spelling an address, a JSON text or a page may carry them,
 * and without the values of secret query parameters and Basic headers.
 */
export function redact(text: string, secrets: readonly string[]): string {
	return withoutPlaces(text, placesOf(text, formsOf(secrets)))
		.replace(secretParameters, `$1${redactionMark}`)
		.replace(basicIdentity, `$1${redactionMark}`);
}

/** What of the text is a secret, or the beginning of one before a cut, however it is spelled. */
function placesOf(text: string, forms: readonly string[]): Place[] {
	if (forms.length === 0) return [];
	const places: Place[] = [];
	// Where what precedes a secret reads as an escape together with it, only an encoded form is found.
	const all = new Set([...forms, ...forms.flatMap(encodedForms)]);
	const sought = Array.from(all, soughtForm);
	const inside = { forms: forms.map(bytesOf), mayBeginInside: true };
	for (const spelling of spellingsBelow(plainSpelling(text), inside)) {
		for (const form of sought) {
			const { whole, beginnings } = findForm(spelling, form, cutMark);
			for (const place of whole) places.push(place);
			// Where a text was cut, the cut may have gone through a secret.
			for (const place of beginnings) {
				if (place.end - place.start >= shortestBeginning) places.push(place);
			}
		}
	}
	return places;
}

function withoutPlaces(text: string, places: readonly Place[]): string {
	const parts: string[] = [];
	let end = 0;
	for (const place of [...places].sort((left, right) => left.start - right.start)) {
		// One that overlaps another is part of the same mark.
		if (place.start >= end) parts.push(text.slice(end, place.start), redactionMark);
		end = Math.max(end, place.end);
	}
	return [...parts, text.slice(end)].join('');
}

/** As it is, and as the user name of Basic authentication, with and without the colon behind it. */
function formsOf(secrets: readonly string[]): string[] {
	const forms = secrets
		.filter((secret) => secret !== '')
		.flatMap((secret) => [
			secret,
			Buffer.from(secret).toString('base64'),
			Buffer.from(`${secret}:`).toString('base64'),
		]);
	return [...new Set(forms)];
}

/** What common encoders make of a form; none for half of a character. */
function encodedForms(form: string): string[] {
	if (holdsHalfCharacter(form)) return [JSON.stringify(form).slice(1, -1)];
	const percent = encodeURIComponent(form);
	const strict = percent.replace(/[!'()*~]/g, percentForm);
	const json = JSON.stringify(form).slice(1, -1);
	const encoded = [
		...[percent, strict, encodeURIComponent(percent), encodeURIComponent(strict)],
		...[percent.replace(/'/g, '%27'), percent.replace(/[!'()*]/g, percentForm)],
		...[percent.replace(/[!'()~]/g, percentForm)],
	];
	const lowerCase = encoded.map((text) =>
		text.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase()),
	);
	const inAddresses = [...encoded, ...lowerCase];
	const withPlusSigns = inAddresses.map((text) => text.replace(/%20/g, '+'));
	const escaped = [json, json.replace(/\//g, '\\/'), everyUnitEscaped(form)];
	return [...inAddresses, ...withPlusSigns, ...escaped];
}

function everyUnitEscaped(form: string): string {
	const units = form.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
	return units.map((unit) => `\\u${unit}`).join('');
}

function percentForm(character: string): string {
	return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
