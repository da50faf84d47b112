import { queuesOf, type Hook } from '../../domain/hooks/hook.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { byteOrder } from '../../domain/values/byte-order.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { KeptHooks } from '../kept/hooks.ts';
import type { HooksInForce } from '../ports/hooks-in-force.ts';
import type { LoggerPort } from '../ports/logger-port.ts';
import type { ReplicaSignalsPort } from '../ports/replica-signals-port.ts';
import { RecordInForce } from '../running/record-in-force.ts';

/** Queues whose hooks are cached, at most. */
const MOST_KEPT = 10_000;

const NONE: readonly Hook[] = [];

/** The hooks in force on this replica. They are kept in memory, since every end of a job asks for them. */
export class StoredHooksInForce extends RecordInForce implements HooksInForce {
  readonly #store: Pick<KeptHooks, 'list'>;
  readonly #watching = new Map<QueueName, readonly Hook[]>();
  #hooks: readonly Hook[] | undefined;
  #watchers: readonly { readonly hook: Hook; readonly isAbout: (queue: string) => boolean }[] = [];
  readonly #followers: (() => void)[] = [];

  constructor(
    store: Pick<KeptHooks, 'list'>,
    signals: ReplicaSignalsPort,
    clock: ClockPort,
    logger: LoggerPort,
  ) {
    super('hooks', { signals, clock, logger });
    this.#store = store;
  }

  override get areKnown(): boolean {
    return this.#hooks !== undefined;
  }

  /** Calls the function after each reading, which may have found nothing new. */
  follow(follower: () => void): void {
    this.#followers.push(follower);
  }

  all(): readonly Hook[] {
    return this.#hooks ?? NONE;
  }

  find(id: string): Hook | undefined {
    return this.all().find((hook) => hook.id === id);
  }

  watching(queue: QueueName): readonly Hook[] {
    if (this.#watchers.length === 0) return NONE;
    const kept = this.#watching.get(queue);
    if (kept !== undefined) return kept;
    const found = this.#watchers.filter(({ isAbout }) => isAbout(queue)).map(({ hook }) => hook);
    if (this.#watching.size >= MOST_KEPT) this.#watching.clear();
    this.#watching.set(queue, found);
    return found;
  }

  protected override async readRecord(): Promise<void> {
    const { records } = await this.#store.list();
    this.#hooks = [...records.values()].sort((one, other) => byteOrder(one.id, other.id));
    this.#watchers = this.#hooks
      .filter(({ paused }) => !paused)
      .map((hook) => ({ hook, isAbout: queuesOf(hook) }));
    this.#watching.clear();
    for (const follower of this.#followers) follower();
  }
}
