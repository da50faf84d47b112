import type { RedisClient } from './redis-client.ts';
import { EVENTS_KEPT } from '../layout/events-kept.ts';
import type { ArgumentsOf, Given, Script, ScriptArgument, TypedScript } from '../lua/script.ts';
import type { StoreErrors } from './store-errors.ts';

type Sent = ScriptArgument | Buffer;

type Command = (keysAndArguments: Sent[]) => Promise<unknown>;

/** Characters up to which an argument is sent as text. The client encodes a longer one twice, to count and to copy it. */
const LONGEST_TEXT = 65_536;

/**
 * Runs scripts on a connection, and defines each at its first run. A script is sent by its digest and, if the store no
 * longer has it, once more in full.
 */
export class Scripts {
  readonly #client: RedisClient;
  readonly #errors: StoreErrors;
  readonly #eventsKept: string;
  readonly #commands = new Map<Script, Command>();

  /** @param eventsKept how many events a queue keeps unless its metadata says otherwise. */
  constructor(client: RedisClient, errors: StoreErrors, eventsKept: number) {
    this.#client = client;
    this.#errors = errors;
    this.#eventsKept = String(eventsKept);
  }

  /**
   * The arguments travel as one array: a batch of jobs has more than a call's stack can take. It is built with
   * `concat`, since the second of two spreads would be iterated item by item.
   *
   * @throws DomainError `store-unavailable`.
   */
  run(script: Script, keys: readonly string[], args: readonly ScriptArgument[]): Promise<unknown> {
    const command = this.#commands.get(script) ?? this.#define(script);
    const sent: readonly Sent[] = args.some(isLong) ? args.map(asBytes) : args;
    return this.#errors.run(() => command((keys as readonly Sent[]).concat(sent)));
  }

  /**
   * Runs a script with named keys and arguments.
   *
   * @param given the arguments with names, and those behind them.
   * @throws DomainError `store-unavailable`.
   */
  async call<Keys, Args, Answer>(
    script: TypedScript<Keys, Args, Answer>,
    keys: Keys,
    ...given: Given<Args>
  ): Promise<Answer> {
    const [args = {} as ArgumentsOf<Args>, rest = []] = given;
    const values = script.argumentsFor(keys, args).concat(rest);
    return script.answer(await this.run(script, script.keysFor(keys, args), values), script.name);
  }

  #define(script: Script): Command {
    const { name, numberOfKeys } = script;
    const lua = script.lua.replaceAll(EVENTS_KEPT, this.#eventsKept);
    const method = `jobgate:${name}`;
    this.#client.defineCommand(method, { lua, numberOfKeys });
    const defined = (this.#client as unknown as Record<string, Command>)[method];
    if (defined === undefined) throw new Error(`The script ${name} could not be defined`);
    const command = defined.bind(this.#client);
    this.#commands.set(script, command);
    return command;
  }
}

function isLong(argument: ScriptArgument): argument is string {
  return typeof argument === 'string' && argument.length > LONGEST_TEXT;
}

function asBytes(argument: ScriptArgument): Sent {
  return isLong(argument) ? Buffer.from(argument) : argument;
}
