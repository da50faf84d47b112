import type { Invocation } from './invocation.ts';

/** An option as it is typed and explained; `value` names its value, if it takes one. */
export interface Option {
  readonly value?: string;
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

export type Options = Readonly<Record<string, Option>>;

/** One command: its name, its arguments and its action. */
export interface Command {
  /** One word, or two such as `workers list`. */
  readonly name: string;
  /** The arguments, such as `<queue> <job>...`. */
  readonly takes: string;
  /** Minimum and maximum number of arguments. */
  readonly count: readonly [least: number, most: number];
  readonly summary: string;
  /** Further explanations. */
  readonly details?: string;
  /** Command lines without the leading `jobgate`. */
  readonly examples?: readonly string[];
  readonly options?: Options;
  /** Whether `--watch` repeats it. */
  readonly isWatchable?: true;
  run(invocation: Invocation): Promise<void>;
}

export const YES: Options = { yes: { meaning: 'do not ask for confirmation' } };
