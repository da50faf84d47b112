import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { NativeTurnPort } from '../../../../application/ports/native-turn-port.ts';
import type { GroupDefaults } from '../../../../domain/groups/group-settings.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { stageTurn } from '../scripts/groups.ts';

/** Stages jobs of groups for native BullMQ workers (docs/adr/0028-native-workers-take-staged-jobs.md). */
export class RedisNativeTurns implements NativeTurnPort {
  readonly #store: StoreCommands;
  readonly #register: string;
  readonly #clock: ClockPort;

  constructor(store: StoreCommands, clock: ClockPort) {
    this.#store = store;
    this.#register = store.all.queuesInTurns;
    this.#clock = clock;
  }

  async queues(): Promise<readonly QueueName[]> {
    return (await this.#store.run((client) => client.smembers(this.#register))) as QueueName[];
  }

  stage(queue: QueueName, defaults: GroupDefaults | undefined): Promise<boolean> {
    return this.#store.callOf(queue, stageTurn, {
      timestamp: this.#clock.now(),
      defaults: defaults === undefined ? '' : JSON.stringify(defaults),
    });
  }
}
