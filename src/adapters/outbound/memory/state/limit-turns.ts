import type { Turn } from '../../../../domain/limits/turns.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { ByTime } from './by-time.ts';

/** The turns of queues at one limit. */
export class LimitTurns {
  readonly all = new Map<QueueName, Turn>();
  /** Turns that wait, in the order of their starts. */
  readonly waiting = new ByTime<readonly [QueueName, Turn]>();

  /** @param turn undefined when the queue has none from now on. */
  replace(queue: QueueName, turn: Turn | undefined): void {
    const before = this.all.get(queue);
    if (before?.waits === true) this.waiting.remove(before.starts, queue);
    if (turn?.waits === true) this.waiting.add(turn.starts, queue, [queue, turn]);
    if (turn === undefined) this.all.delete(queue);
    else this.all.set(queue, turn);
  }
}
