/** Maximum number of states of a pattern. A counted repetition such as `{1,30}` multiplies the states of its part. */
const maxStates = 1_000;

/** A state of a pattern. It reads one of these: a character, the empty text if a condition holds, or the empty text. */
type State =
	| { kind: 'character'; matches: (code: number) => boolean; next: number }
	| { kind: 'condition'; holds: (text: string, index: number) => boolean; next: number }
	| { kind: 'lookahead'; start: number; isNegative: boolean; next: number }
	| { kind: 'choice'; next: readonly number[] };

/** A function that adds the states of a part of a pattern. Gets the state after the part, and returns its first state. */
type Part = (next: number) => number;

/** Number of the state in which a text matches. */
const accepted = -1;

/** Tokens of a regular expression: escape, class, start of a group, quantifier, or any other character. */
const tokens =
	/\\(?:c[a-z]|x[\da-f]{2}|u[\da-f]{4}|k<[^>]*>|0[0-7]{0,2}|[1-9]\d*|[^])|\[(?:\\[^]|[^\]\\])*\]|\(\?(?:[:=!]|<[=!]|<[^>]*>|[^:)]*:)|(?:[*+?]|\{\d+(?:,\d*)?\})\??|[^]/gi;

const quantifier = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??$/;

/** Thrown for a part of a pattern that cannot be matched in a bounded number of steps. */
export class UnboundedPattern extends Error {
	constructor(readonly part: string) {
		super(`'${part}' cannot be matched in a bounded number of steps`);
	}
}

/**
 * A regular expression that is matched state by state, not by trying one way after another. So each character of any text takes
 * at most as many steps as the pattern has states.
 */
export class TextPattern {
	private readonly states: State[] = [];
	private readonly tokens: string[];
	private index = 0;
	private readonly start: number;
	/** The last turn in which each state was reached. A lookahead has its own states and turns. */
	private readonly reachedIn: number[] = [];
	private turns = 0;

	/**
	 * @param source a valid regular expression of JavaScript without flags
	 * @throws UnboundedPattern for references to groups, for looking back and for too many repetitions
	 */
	constructor(source: string) {
		this.tokens = source.match(tokens) ?? [];
		this.start = this.alternatives()(accepted);
	}

	/** Returns whether a part of the text matches; undefined if that takes more steps than the budget has left. Takes the steps from it. */
	test(text: string, budget: { steps: number }): boolean | undefined {
		return this.isFound(text, { start: this.start, from: 0, isAnywhere: true }, budget);
	}

	/** Returns whether the states match at an index, or anywhere after it. */
	private isFound(
		text: string,
		{ start, from, isAnywhere }: { start: number; from: number; isAnywhere: boolean },
		budget: { steps: number },
	): boolean | undefined {
		let current: number[] = [];
		let turn = ++this.turns;
		for (let index = from; index <= text.length; index++) {
			if (index === from || isAnywhere) this.reach(start, current, turn);
			const isAccepted = this.followWithoutReading(current, text, index, budget);
			if (isAccepted !== false) return isAccepted;
			turn = ++this.turns;
			if (index < text.length) current = this.afterReading(current, text.charCodeAt(index), turn);
			if (current.length === 0 && !isAnywhere) return false;
		}
		return budget.steps < 0 ? undefined : false;
	}

	/**
	 * Adds the states that follow those of a list without reading a character. Returns whether the text matches; undefined if the
	 * budget is used up.
	 */
	private followWithoutReading(
		current: number[],
		text: string,
		index: number,
		budget: { steps: number },
	): boolean | undefined {
		const turn = this.turns;
		for (let position = 0; position < current.length; position++) {
			if (--budget.steps < 0) return undefined;
			const number = current[position] ?? accepted;
			if (number === accepted) return true;
			for (const next of this.nextWithoutReading(number, text, index, budget)) {
				this.reach(next, current, turn);
			}
		}
		return false;
	}

	/** Adds a state to the list of a turn, unless it was added before. */
	private reach(number: number, list: number[], turn: number): void {
		if (number !== accepted && this.reachedIn[number] === turn) return;
		if (number !== accepted) this.reachedIn[number] = turn;
		list.push(number);
	}

	/** Returns the states that follow after reading a character. */
	private afterReading(current: readonly number[], code: number, turn: number): number[] {
		const reached: number[] = [];
		for (const number of current) {
			const state = this.states[number];
			if (state?.kind === 'character' && state.matches(code)) this.reach(state.next, reached, turn);
		}
		return reached;
	}

	private nextWithoutReading(
		number: number,
		text: string,
		index: number,
		budget: { steps: number },
	): readonly number[] {
		const state = this.states[number];
		if (!state || state.kind === 'character') return [];
		if (state.kind === 'choice') return state.next;
		if (state.kind === 'condition') return state.holds(text, index) ? [state.next] : [];
		const place = { start: state.start, from: index, isAnywhere: false };
		return this.isFound(text, place, budget) === state.isNegative ? [] : [state.next];
	}

	/** Parses alternatives up to the end of the group. */
	private alternatives(): Part {
		const parts = [this.sequence()];
		while (this.tokens[this.index] === '|') {
			this.index++;
			parts.push(this.sequence());
		}
		const [only] = parts;
		if (only && parts.length === 1) return only;
		return (next) => this.add({ kind: 'choice', next: parts.map((part) => part(next)) });
	}

	private sequence(): Part {
		const parts: Part[] = [];
		for (;;) {
			const token = this.tokens[this.index];
			if (token === undefined || token === '|' || token === ')') break;
			this.index++;
			parts.push(this.repeated(this.part(token)));
		}
		return (next) => parts.reduceRight((following, part) => part(following), next);
	}

	/** Parses a token, or the group that starts with it. */
	private part(token: string): Part {
		if (/^\\(?:[1-9]|k<)/.test(token) || token.startsWith('(?<=') || token.startsWith('(?<!')) {
			throw new UnboundedPattern(token);
		}
		if (token.startsWith('(')) return this.group(token);
		const holds = conditions[token];
		if (holds) return (next) => this.add({ kind: 'condition', holds, next });
		const matches = characterTest(token);
		return (next) => this.add({ kind: 'character', matches, next });
	}

	private group(opening: string): Part {
		if (/^\(\?[a-z-]/i.test(opening)) throw new UnboundedPattern(opening);
		const content = this.alternatives();
		this.index++;
		if (opening !== '(?=' && opening !== '(?!') return content;
		const isNegative = opening === '(?!';
		return (next) => {
			return this.add({ kind: 'lookahead', start: content(accepted), isNegative, next });
		};
	}

	/** Returns the part with the quantifier that follows it, if there is one. */
	private repeated(part: Part): Part {
		const token = this.tokens[this.index] ?? '';
		const limits = repetitions(token);
		if (!limits) return part;
		this.index++;
		return (next) => {
			try {
				return this.repeatedStates(part, limits, next);
			} catch (error) {
				throw error instanceof UnboundedPattern ? new UnboundedPattern(token) : error;
			}
		};
	}

	/** Adds the states of a part as often as it must and may be repeated. Returns the first one. */
	private repeatedStates(part: Part, { min, max }: { min: number; max: number }, next: number) {
		let first = next;
		if (max === Infinity) {
			const loop: number[] = [];
			first = this.add({ kind: 'choice', next: loop });
			loop.push(part(first), next);
		}
		for (let count = min; max !== Infinity && count < max; count++) {
			first = this.add({ kind: 'choice', next: [part(first), next] });
		}
		for (let count = 0; count < min; count++) first = part(first);
		return first;
	}

	private add(state: State): number {
		if (this.states.length >= maxStates) throw new UnboundedPattern('{…}');
		this.reachedIn.push(0);
		return this.states.push(state) - 1;
	}
}

const isWordCharacter = (character: string) => /^\w$/.test(character);

function isWordBoundary(text: string, index: number): boolean {
	return isWordCharacter(text.charAt(index - 1)) !== isWordCharacter(text.charAt(index));
}

/** Tokens that read no character, and when they match. */
const conditions: Readonly<Partial<Record<string, (text: string, index: number) => boolean>>> = {
	'^': (_, index) => index === 0,
	$: (text, index) => index === text.length,
	'\\b': isWordBoundary,
	'\\B': (text, index) => !isWordBoundary(text, index),
};

/** Returns a function that checks whether a character matches a token. It remembers the results for Latin characters. */
function characterTest(token: string): (code: number) => boolean {
	// A brace or bracket that ends nothing stands for itself.
	const pattern = new RegExp(/^[\]{}]$/.test(token) ? `\\${token}` : token);
	const known: Array<boolean | undefined> = Array.from({ length: 256 });
	return (code) => {
		const result = known[code] ?? pattern.test(String.fromCharCode(code));
		if (code < known.length) known[code] = result;
		return result;
	};
}

/** Returns how often a quantifier repeats a part; undefined for a token that is not a quantifier. */
function repetitions(token: string): { min: number; max: number } | undefined {
	const [, sign, least = '', comma = '', most = ''] = quantifier.exec(token) ?? [];
	if (sign !== undefined) return { min: Number(sign === '+'), max: sign === '?' ? 1 : Infinity };
	if (least === '') return undefined;
	const min = Number(least);
	return { min, max: comma === '' ? min : Number(most || Infinity) };
}
