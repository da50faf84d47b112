import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { NativeTurnPort } from '../../../../application/ports/native-turn-port.ts';
import type { GroupDefaults } from '../../../../domain/groups/group-settings.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { queuesInTurnsKey } from '../layout/queue-keys.ts';
import type { QueueKeysCache } from '../layout/queue-keys-cache.ts';
import { stageTurn } from '../scripts/groups.ts';

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

  stage(queue: QueueName, defaults: GroupDefaults | undefined): Promise<boolean> {
    return this.#commands.call(stageTurn, this.#keys.get(queue), {
      timestamp: this.#clock.now(),
      defaults: defaults === undefined ? '' : JSON.stringify(defaults),
    });
  }
}
