import { JobgateError, type Jobgate, type RequestOptions } from 'jobgate-client';
import type { Calls } from './calls.ts';
import { durationOf } from './input/durations.ts';
import { timeOf } from './input/times.ts';
import { UsageError } from './input/usage-error.ts';
import { jsonOf, objectOf } from './input/values.ts';
import { table, type Column } from './output/table.ts';
import type { Service } from './service/service.ts';
import type { Services } from './services.ts';
import type { SignIns } from './sign-ins.ts';
import type { Stores, Variables } from './stores.ts';
import type { Terminal } from './terminal.ts';

export type OptionValues = Readonly<
  Record<string, string | boolean | readonly string[] | undefined>
>;

/** What commands do without the API of a service. */
export interface WithoutService {
  readonly stores: Stores;
  readonly calls: Calls;
  readonly signIns: SignIns;
  readonly services: Services;
}

/** The arguments of a command, the target service, and the output. */
export class Invocation {
  readonly service: Service;
  readonly terminal: Terminal;
  readonly without: WithoutService;
  /** The environment of the process. */
  readonly variables: Variables;
  readonly names: readonly string[];
  /** The names of the arguments. */
  readonly #takes: readonly string[];
  readonly #options: OptionValues;

  constructor(
    service: Service,
    terminal: Terminal,
    without: WithoutService,
    variables: Variables,
    takes: readonly string[],
    names: readonly string[],
    options: OptionValues,
  ) {
    this.service = service;
    this.terminal = terminal;
    this.without = without;
    this.variables = variables;
    this.#takes = takes.map((word) => word.replaceAll(/[<>[\].]/g, ''));
    this.names = names;
    this.#options = options;
  }

  get jobgate(): Jobgate {
    return this.service.client;
  }

  /** The queue, which is the first argument of nearly all commands. */
  get queue(): string {
    return this.names[0] ?? '';
  }

  name(index: number): string {
    return this.names[index] ?? '';
  }

  /** The answer of a route. @param path in which `<queue>` stands for the argument of that name. */
  request<Answer>(method: string, path: string, options?: RequestOptions): Promise<Answer> {
    const filled = path.replaceAll(/<([^>]+)>/g, (_, argument: string) =>
      encodeURIComponent(this.name(this.#takes.indexOf(argument))),
    );
    return this.jobgate.request<Answer>(method, filled, options);
  }

  /** The same of a GET; undefined for an answer with one of these statuses. */
  async found<Answer>(path: string, without: readonly number[]): Promise<Answer | undefined> {
    try {
      return await this.request<Answer>('GET', path);
    } catch (error) {
      if (error instanceof JobgateError && without.includes(error.status)) return undefined;
      throw error;
    }
  }

  has(option: string): boolean {
    return this.#options[option] !== undefined;
  }

  text(option: string): string | undefined {
    const value = this.#options[option];
    return typeof value === 'string' ? value : undefined;
  }

  /** The values of a repeatable option. */
  texts(option: string): readonly string[] {
    const value = this.#options[option];
    return Array.isArray(value) ? (value as readonly string[]) : [];
  }

  /** The comma-separated parts of an option. */
  list(option: string): readonly string[] | undefined {
    return this.text(option)
      ?.split(',')
      .map((part) => part.trim());
  }

  /** @throws UsageError for anything but digits. */
  number(option: string): number | undefined {
    const text = this.text(option);
    if (text !== undefined && !/^\d+$/.test(text)) {
      throw new UsageError(`--${option} must be a whole number`);
    }
    return text === undefined ? undefined : Number(text);
  }

  /** @throws UsageError for anything but JSON. */
  json(option: string): unknown {
    const text = this.text(option);
    return text === undefined ? undefined : jsonOf(`--${option}`, text);
  }

  /** @throws UsageError for anything but a JSON object. */
  object(option: string): Readonly<Record<string, unknown>> | undefined {
    const text = this.text(option);
    return text === undefined ? undefined : objectOf(`--${option}`, text);
  }

  /** Milliseconds. @throws UsageError for anything but a duration. */
  duration(option: string): number | undefined {
    const text = this.text(option);
    return text === undefined ? undefined : durationOf(`--${option}`, text);
  }

  /** Epoch milliseconds. @throws UsageError for anything but a time. */
  time(option: string, direction: 'ago' | 'ahead' = 'ago'): number | undefined {
    const text = this.text(option);
    return text === undefined ? undefined : timeOf(`--${option}`, text, direction);
  }

  /** The times of --from and --to. @throws UsageError when they are in the wrong order. */
  period(): { readonly from: number | undefined; readonly to: number | undefined } {
    const [from, to] = [this.time('from'), this.time('to')];
    if (from !== undefined && to !== undefined && to < from)
      throw new UsageError('--to must not be before --from');
    return { from, to };
  }

  /** @throws UsageError when an option is given beside one that replaces it. */
  refuseBeside(option: string, others: readonly string[]): void {
    const other = this.has(option) ? others.find((each) => this.has(each)) : undefined;
    if (other !== undefined) throw new UsageError(`--${other} cannot be combined with --${option}`);
  }

  /** @throws JobgateError `queue-not-found`: many routes answer for a queue without jobs as for one that exists. */
  async requireQueue(): Promise<void> {
    await this.jobgate.queue(this.queue).get();
  }

  /** Asks before a command that removes something. Returns false, and reports it, when the user declines. */
  async isWanted(question: string): Promise<boolean> {
    if (this.has('yes') || (await this.terminal.confirm(question))) return true;
    this.terminal.report('Nothing was done');
    return false;
  }

  /** Prints an answer as JSON with --json, otherwise as text. */
  answer<Answer>(answer: Answer, show: (answer: Answer) => string): void {
    if (this.has('json')) this.terminal.printJson(answer);
    else if (this.has('watch') && this.terminal.isTerminal) this.terminal.replace(show(answer));
    else this.terminal.print(show(answer));
  }

  /** A table that fits the terminal. @param none the text to print when there are no rows. */
  table<Row>(columns: readonly Column<Row>[], rows: readonly Row[], none: string): string {
    return rows.length === 0 ? none : table(columns, rows, this.terminal.width);
  }
}
