import type { GroupSettings } from '../../domain/groups/group-settings.ts';
import type { FlowControl } from '../../domain/messages/push.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { GroupStorePort } from '../ports/group-store-port.ts';

/** How long (ms) the limits of a key hold after its latest message was due: keys that rest are forgotten. */
const KEPT_FOR = 2 * 86_400_000;

/** How many keys are known on this replica, whose limits need not be written again. */
const MOST_KNOWN = 10_000;

/** The limits of keys, as the settings of groups: a key that is at its limit holds up no other message. */
export class FlowControls {
  readonly #groups: Pick<GroupStorePort, 'saveSettings'>;
  readonly #clock: Pick<ClockPort, 'now'>;
  readonly #known = new Map<string, { readonly limits: string; readonly until: number }>();

  constructor(groups: Pick<GroupStorePort, 'saveSettings'>, clock: Pick<ClockPort, 'now'>) {
    this.#groups = groups;
    this.#clock = clock;
  }

  /**
   * Has the limits in force for the messages of a key; those of its latest message count.
   *
   * @param delay until the message is due, in milliseconds.
   * @throws DomainError `too-many-groups`, or `store-unavailable`.
   */
  async apply(queue: QueueName, group: string, control: FlowControl, delay: number): Promise<void> {
    const { parallelism, rate, period = 1000 } = control;
    const limits: GroupSettings = {
      ...(parallelism !== undefined && { concurrency: parallelism }),
      ...(rate !== undefined && { limiter: { max: rate, duration: period } }),
    };
    const place = `${queue}:${group}`;
    const text = JSON.stringify(limits);
    const due = this.#clock.now() + delay;
    const known = this.#known.get(place);
    if (known?.limits === text && known.until >= due + KEPT_FOR / 2) return;
    const expires = Math.max(due + KEPT_FOR, known?.until ?? 0);
    await this.#groups.saveSettings(queue, group, { ...limits, expires });
    this.#note(place, text, expires);
  }

  #note(place: string, limits: string, until: number): void {
    this.#known.delete(place);
    this.#known.set(place, { limits, until });
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size > MOST_KNOWN) this.#known.delete(oldest);
  }
}
