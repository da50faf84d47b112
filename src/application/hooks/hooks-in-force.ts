import { isStoreUnavailable, storeUnavailable } from '../../domain/errors.ts';
import { queuesOf, type Hook } from '../../domain/hooks/hook.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { byteOrder } from '../../domain/values/byte-order.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { HookStorePort } from '../ports/hook-store-port.ts';
import type { HooksInForce } from '../ports/hooks-in-force.ts';
import type { LoggerPort } from '../ports/logger-port.ts';
import type { ReplicaSignalsPort } from '../ports/replica-signals-port.ts';
import { FreshRuns } from '../running/fresh-runs.ts';
import { onceChanged } from '../running/once-changed.ts';
import { Rounds } from '../running/rounds.ts';
import type { Startable } from '../running/startable.ts';

/** How often (ms) the record is read without a signal. */
const READ_INTERVAL = 15_000;

/** Queues whose hooks are cached, at most. */
const MOST_KEPT = 10_000;

const NONE: readonly Hook[] = [];

/**
 * The hooks in force on this replica. They are kept in memory, since every end of a job asks for them; the record is
 * read whenever it may have changed.
 */
export class StoredHooksInForce implements Startable, HooksInForce {
  readonly name = 'hooks';
  readonly #store: Pick<HookStorePort, 'all'>;
  readonly #signals: ReplicaSignalsPort;
  readonly #logger: LoggerPort;
  readonly #rounds: Rounds;
  readonly #reads = new FreshRuns(() => this.#readNow());
  readonly #watching = new Map<QueueName, readonly Hook[]>();
  #hooks: readonly Hook[] | undefined;
  #watchers: readonly { readonly hook: Hook; readonly isAbout: (queue: string) => boolean }[] = [];
  readonly #followers: (() => void)[] = [];
  #endListening: (() => void) | undefined;

  constructor(
    store: Pick<HookStorePort, 'all'>,
    signals: ReplicaSignalsPort,
    clock: ClockPort,
    logger: LoggerPort,
  ) {
    this.#store = store;
    this.#signals = signals;
    this.#logger = logger;
    this.#rounds = new Rounds({ name: this.name, round: () => this.#round() }, clock, logger);
  }

  /** Does not wait for the store: a replica that starts while the store is away recovers by itself. */
  start(): Promise<void> {
    this.#endListening ??= this.#signals.listen('hooks', () => {
      void this.#read();
    });
    return this.#rounds.start();
  }

  async stop(): Promise<void> {
    await this.#rounds.stop();
    this.#endListening?.();
  }

  async known(): Promise<void> {
    if (!this.#areKnown) await (this.#reads.running ?? this.#reads.run()).catch(() => undefined);
    if (!this.#areKnown) throw storeUnavailable(new Error('The hooks were never read'));
  }

  get #areKnown(): boolean {
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

  /**
   * Reads the record after a change of this replica, and wakes the others.
   *
   * @throws DomainError `store-unavailable` that `mayBeStored` when it is unknown whether the change is in force here.
   */
  async changed(): Promise<void> {
    this.#signals.send('hooks');
    await onceChanged(this.#reads.run());
  }

  async #round(): Promise<number> {
    await this.#read();
    return READ_INTERVAL;
  }

  /** What was read before stays in force while the record cannot be read. */
  async #read(): Promise<void> {
    await this.#reads.run().catch(() => undefined);
  }

  async #readNow(): Promise<void> {
    try {
      const stored = await this.#store.all();
      this.#hooks = [...stored].sort((one, other) => byteOrder(one.id, other.id));
      this.#watchers = this.#hooks
        .filter(({ paused }) => !paused)
        .map((hook) => ({ hook, isAbout: queuesOf(hook) }));
      this.#watching.clear();
      for (const follower of this.#followers) follower();
    } catch (error) {
      if (isStoreUnavailable(error)) this.#logger.debug('The hooks could not be read', { error });
      else this.#logger.error('The hooks could not be read', { error });
      throw error;
    }
  }
}
