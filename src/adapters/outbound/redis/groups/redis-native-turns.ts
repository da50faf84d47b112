import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { NativeTurnPort } from '../../../../application/ports/native-turn-port.ts';
import type { GroupDefaults } from '../../../../domain/groups/group-settings.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { queuesInTurnsKey } from '../layout/queue-keys.ts';
import type { QueueKeysCache } from '../layout/queue-keys-cache.ts';
import { luaScript } from '../lua/load.ts';

const stageTurnScript = luaScript('stage-turn');

/** Stages jobs of groups for native BullMQ workers (docs/adr/0028-native-workers-take-staged-jobs.md). */
export class RedisNativeTurns implements NativeTurnPort {
  readonly #commands: StoreCommands;
  readonly #keys: QueueKeysCache;
  readonly #register: string;
  readonly #clock: ClockPort;

  constructor(commands: StoreCommands, keys: QueueKeysCache, prefix: string, clock: ClockPort) {
    this.#commands = commands;
    this.#keys = keys;
    this.#register = queuesInTurnsKey(prefix);
    this.#clock = clock;
  }

  async queues(): Promise<readonly QueueName[]> {
    const { client, errors } = this.#commands;
    return (await errors.run(() => client.smembers(this.#register))) as QueueName[];
  }

  async stage(queue: QueueName, defaults: GroupDefaults | undefined): Promise<boolean> {
    const { meta, jobPrefix } = this.#keys.get(queue);
    const terms = defaults === undefined ? '' : JSON.stringify(defaults);
    const args = [jobPrefix, this.#clock.now(), terms];
    return (await this.#commands.scripts.run(stageTurnScript, [meta], args)) === 1;
  }
}
