import { text, type Shape } from '../values/shape.ts';

/** The longest expression, which bounds what it costs to read one and how deep it nests. */
const MOST_CHARACTERS = 200;

/** The longest pause, in milliseconds: a day. */
const LONGEST = 86_400_000;

type Evaluated = (retried: number) => number;

const { pow, min, max, sqrt, abs, exp, floor, ceil, round } = Math;

/** Each takes as many arguments as it has parameters, one or two. */
const FUNCTIONS: Readonly<Record<string, (first: number, second: number) => number>> = {
  ...{ pow, min, max, sqrt, abs, exp, floor, ceil, round },
};

const OPERATORS: Readonly<Record<string, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
};

const TOKEN = /\d+(?:\.\d+)?|[a-z]+|[-+*/(),]/g;

/** The expression of a pause between two deliveries of a message, as clients of QStash write it. */
export const retryDelayShape: Shape<string> = text(
  `be an expression of retried with at most ${MOST_CHARACTERS} characters: numbers, + - * / ( ) and ${Object.keys(FUNCTIONS).join(', ')}`,
  (written) => expressionOf(written) !== undefined,
  { minLength: 1, maxLength: MOST_CHARACTERS, examples: ['pow(2, retried) * 1000'] },
);

/**
 * The pause (ms, at most a day) before the next delivery of a message (further contract, section 24). A result that is no
 * number is replaced by the pause of a message without an expression.
 *
 * @param retried how often the message was delivered again so far, from 0.
 */
export function retryDelay(expression: string | undefined, retried: number): number {
  const evaluate = expression === undefined ? undefined : expressionOf(expression);
  const pause = evaluate?.(retried) ?? NaN;
  const defined = Number.isNaN(pause) ? exp(2.5 * (retried + 1)) * 1000 : pause;
  return min(max(0, round(defined)), LONGEST);
}

/** Undefined for a text that is no expression. */
function expressionOf(written: string): Evaluated | undefined {
  const isShort = written.length <= MOST_CHARACTERS;
  if (!isShort || written.replace(TOKEN, '').trim() !== '') return undefined;
  return new Reader(written.match(TOKEN) ?? []).whole();
}

/** Reads an expression by recursive descent; each method is undefined where the text is none. */
class Reader {
  readonly #tokens: readonly string[];
  #next = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  whole(): Evaluated | undefined {
    const sum = this.#sum();
    return this.#next === this.#tokens.length ? sum : undefined;
  }

  #sum(): Evaluated | undefined {
    return this.#chain('+-', () => this.#chain('*/', () => this.#signed()));
  }

  #chain(operators: string, operand: () => Evaluated | undefined): Evaluated | undefined {
    let left = operand();
    for (;;) {
      const token = this.#tokens[this.#next];
      const combine = token && operators.includes(token) ? OPERATORS[token] : undefined;
      if (left === undefined || combine === undefined) return left;
      this.#next += 1;
      const [before, right] = [left, operand()];
      left = right && ((retried) => combine(before(retried), right(retried)));
    }
  }

  #signed(): Evaluated | undefined {
    if (!this.#takes('-')) return this.#value();
    const operand = this.#signed();
    return operand && ((retried) => -operand(retried));
  }

  #value(): Evaluated | undefined {
    const token = this.#tokens[this.#next++] ?? '';
    if (token === '(') return this.#closed(this.#sum());
    if (/^\d/.test(token)) return () => Number(token);
    if (token === 'retried') return (retried) => retried;
    const named = Object.hasOwn(FUNCTIONS, token) ? FUNCTIONS[token] : undefined;
    if (named === undefined || !this.#takes('(')) return undefined;
    const first = this.#sum();
    const second = named.length < 2 ? () => 0 : this.#takes(',') && this.#sum();
    return this.#closed(first && second && ((retried) => named(first(retried), second(retried))));
  }

  #closed<Read>(inner: Read | false): Read | undefined {
    return this.#takes(')') && inner !== false ? inner : undefined;
  }

  #takes(token: string): boolean {
    if (this.#tokens[this.#next] !== token) return false;
    this.#next += 1;
    return true;
  }
}
