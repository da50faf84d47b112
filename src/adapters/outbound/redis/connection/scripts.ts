import type { RedisClient } from './redis-client.ts';
import type { StoreErrors } from './store-errors.ts';

/** A script the store runs as one step: all of it, or nothing. */
export interface Script {
  readonly name: string;
  readonly lua: string;
  readonly numberOfKeys: number;
}

export type ScriptArgument = string | number | Buffer;

type Command = (keysAndArguments: ScriptArgument[]) => Promise<unknown>;

/**
 * Makes the scripts callable on a connection. They are sent by their digest and, when the store has
 * forgotten them, once more in full.
 */
export class Scripts {
  readonly #commands: ReadonlyMap<string, Command>;
  readonly #errors: StoreErrors;

  constructor(client: RedisClient, scripts: readonly Script[], errors: StoreErrors) {
    const commands = new Map<string, Command>();
    for (const { name, lua, numberOfKeys } of scripts) {
      const command = `jobgate:${name}`;
      client.defineCommand(command, { lua, numberOfKeys });
      const defined = (client as unknown as Record<string, Command>)[command];
      if (defined === undefined) throw new Error(`The script ${name} could not be defined`);
      commands.set(name, defined.bind(client));
    }
    this.#commands = commands;
    this.#errors = errors;
  }

  /**
   * The arguments travel as one array: a batch of jobs has more than a call's stack can take.
   *
   * @throws DomainError `store-unavailable`.
   */
  run(script: Script, keys: readonly string[], args: readonly ScriptArgument[]): Promise<unknown> {
    const command = this.#commands.get(script.name);
    if (command === undefined) throw new Error(`Unknown script ${script.name}`);
    return this.#errors.run(() => command([...keys, ...args]));
  }
}
