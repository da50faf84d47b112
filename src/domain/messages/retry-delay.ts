import { text, type Shape } from '../values/shape.ts';

/** The longest expression, which bounds what it costs to read one and how deep it nests. */
const MOST_CHARACTERS = 200;

/** The longest pause, in milliseconds: a day. */
const LONGEST = 86_400_000;

type Evaluated = (retried: number) => number;

interface NamedFunction {
  readonly parameters: number;
  readonly apply: (first: number, second: number) => number;
}

const FUNCTIONS: Readonly<Record<string, NamedFunction>> = {
  pow: { parameters: 2, apply: Math.pow },
  min: { parameters: 2, apply: Math.min },
  max: { parameters: 2, apply: Math.max },
  sqrt: { parameters: 1, apply: Math.sqrt },
  abs: { parameters: 1, apply: Math.abs },
  exp: { parameters: 1, apply: Math.exp },
  floor: { parameters: 1, apply: Math.floor },
  ceil: { parameters: 1, apply: Math.ceil },
  round: { parameters: 1, apply: Math.round },
};

const TOKEN = /\s*(?:(\d+(?:\.\d+)?)|([a-z]+)|([-+*/(),]))\s*/y;

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
  const defined = Number.isNaN(pause) ? Math.exp(2.5 * (retried + 1)) * 1000 : pause;
  return Math.min(Math.max(0, Math.round(defined)), LONGEST);
}

/** Undefined for a text that is no expression. */
function expressionOf(written: string): Evaluated | undefined {
  const tokens = tokensOf(written);
  return tokens && new Reader(tokens).whole();
}

function tokensOf(written: string): readonly string[] | undefined {
  if (written.length > MOST_CHARACTERS) return undefined;
  const tokens: string[] = [];
  let end = 0;
  while (end < written.length) {
    TOKEN.lastIndex = end;
    const [all = '', ...kinds] = TOKEN.exec(written) ?? [];
    if (all === '') return undefined;
    tokens.push(kinds.join(''));
    end += all.length;
  }
  return tokens;
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
    return this.#chain(['+', '-'], () => this.#product());
  }

  #product(): Evaluated | undefined {
    return this.#chain(['*', '/'], () => this.#signed());
  }

  #chain(operators: readonly string[], operand: () => Evaluated | undefined) {
    let left = operand();
    while (left !== undefined && operators.includes(this.#tokens[this.#next] ?? '')) {
      const operator = this.#tokens[this.#next++] ?? '';
      const [before, right] = [left, operand()];
      left = right && ((retried) => combined(operator, before(retried), right(retried)));
    }
    return left;
  }

  #signed(): Evaluated | undefined {
    if (!this.#takes('-')) return this.#value();
    const operand = this.#signed();
    return operand && ((retried) => -operand(retried));
  }

  #value(): Evaluated | undefined {
    if (this.#takes('(')) {
      const inner = this.#sum();
      return this.#takes(')') ? inner : undefined;
    }
    const token = this.#tokens[this.#next++] ?? '';
    if (/^\d/.test(token)) return () => Number(token);
    if (token === 'retried') return (retried) => retried;
    return Object.hasOwn(FUNCTIONS, token) ? this.#call(FUNCTIONS[token]) : undefined;
  }

  #call(named: NamedFunction | undefined): Evaluated | undefined {
    if (named === undefined || !this.#takes('(')) return undefined;
    const first = this.#sum();
    const second = named.parameters === 2 ? this.#takes(',') && this.#sum() : () => 0;
    if (first === undefined || !second || !this.#takes(')')) return undefined;
    return (retried) => named.apply(first(retried), second(retried));
  }

  #takes(token: string): boolean {
    if (this.#tokens[this.#next] !== token) return false;
    this.#next += 1;
    return true;
  }
}

function combined(operator: string, left: number, right: number): number {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    default:
      return left / right;
  }
}
