import type { ApiClient } from './api-client.ts';
import type { Terminal } from './terminal.ts';

/** An option as it is typed and explained; `value` names its value, if it takes one. */
export interface Option {
  readonly value?: string;
  readonly meaning: string;
}

/** The arguments of a command. */
export class Invocation {
  readonly api: ApiClient;
  readonly terminal: Terminal;
  readonly names: readonly string[];
  readonly #options: Readonly<Record<string, string | boolean | undefined>>;

  constructor(
    api: ApiClient,
    terminal: Terminal,
    names: readonly string[],
    options: Readonly<Record<string, string | boolean | undefined>>,
  ) {
    this.api = api;
    this.terminal = terminal;
    this.names = names;
    this.#options = options;
  }

  /** The queue, which is the first name of nearly all commands. */
  get queue(): string {
    return this.names[0] ?? '';
  }

  has(option: string): boolean {
    return this.#options[option] !== undefined;
  }

  text(option: string): string | undefined {
    const value = this.#options[option];
    return typeof value === 'string' ? value : undefined;
  }

  /** Asks before a command that removes something. Returns false, and reports it, when the answer is no. */
  async isWanted(question: string): Promise<boolean> {
    if (this.has('yes') || (await this.terminal.confirm(question))) return true;
    this.terminal.report('Nothing was done');
    return false;
  }

  /** Prints an answer as JSON with --json, and else as text for people. */
  answer<Answer>(answer: Answer, show: (answer: Answer) => string): void {
    this.terminal.print(this.has('json') ? JSON.stringify(answer) : show(answer));
  }
}

/** One command: its name, its arguments and its action. */
export interface Command {
  readonly name: string;
  /** The names that it takes, such as `<queue> <job>...`. */
  readonly takes: string;
  /** How many names it takes, at least and at most. */
  readonly count: readonly [least: number, most: number];
  readonly summary: string;
  /** Further explanations. */
  readonly details?: string;
  readonly options?: Readonly<Record<string, Option>>;
  run(invocation: Invocation): Promise<void>;
}
