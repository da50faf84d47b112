import type { Invocation } from './invocation.ts';

/** The meaning of an option, and its own rules. */
export interface Described {
  readonly meaning: string;
  /** An earlier name, which is accepted and not shown. */
  readonly formerly?: string;
  /** Whether it may be repeated. */
  readonly isRepeatable?: true;
  /** Whether an empty value has a meaning. Otherwise it is refused, since it is probably a variable that is not set. */
  readonly mayBeEmpty?: true;
  /** The values that it accepts, for completion. With `list` it accepts several, separated by commas. */
  readonly offered?: readonly string[];
}

/** An option with one of some values. @param meaning of the option, with the values in words such as `a, b or c`. */
export function oneOf(offered: readonly string[], meaning: (values: string) => string): Described {
  return { meaning: meaning(offered.join(', ').replace(/, ([^,]*)$/, ' or $1')), offered };
}

/** Options with what they mean, by how they are typed: `watch`, or `limit <n>` for one that takes a value. */
export type Options = Readonly<Record<string, string | Described>>;

/** One command: how it is typed, and its action. */
export interface Declaration {
  /** One word, or two such as `workers list`, and the arguments, such as `<queue> [job]...`. */
  readonly usage: string;
  readonly summary: string;
  /** Further explanations. */
  readonly details?: string;
  /** Command lines without the leading `jobgate`. */
  readonly examples?: readonly string[];
  readonly options?: Options;
  /** Whether `--watch` repeats it. */
  readonly isWatchable?: true;
  readonly run: (invocation: Invocation) => Promise<void>;
}

/** A command with the parts of its usage. */
export interface Command extends Declaration {
  readonly name: string;
  /** The arguments, such as `<queue>` and `[job]...`. */
  readonly takes: readonly string[];
}

export function commandOf(declaration: Declaration): Command {
  const words = declaration.usage.split(' ');
  const isArgument = (word: string): boolean => /^[<[]/.test(word);
  return {
    ...declaration,
    name: words.filter((word) => !isArgument(word)).join(' '),
    takes: words.filter(isArgument),
  };
}

export const YES: Options = { yes: 'do not ask for confirmation' };
