import type { NativeTurnPort } from '../../../../application/ports/native-turn-port.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';

/** Native workers cannot reach the memory of this process. */
export class MemoryNativeTurns implements NativeTurnPort {
  queues(): Promise<readonly QueueName[]> {
    return Promise.resolve([]);
  }

  stage(): Promise<boolean> {
    return Promise.resolve(false);
  }
}
