import type { RedisClient } from './redis-client.ts';
import { EVENTS_KEPT } from '../layout/events-kept.ts';
import type { Script } from '../lua/script.ts';
import type { StoreErrors } from './store-errors.ts';

/** No Buffer: one of them makes the client library copy all arguments of its command into buffers, at twice the cost. */
export type ScriptArgument = string | number;

type Command = (keysAndArguments: ScriptArgument[]) => Promise<unknown>;

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
    return this.#errors.run(() => command((keys as readonly ScriptArgument[]).concat(args)));
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
