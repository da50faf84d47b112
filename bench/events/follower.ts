import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Target } from '../load.ts';

const EVENT = /^id: (\S+)\nevent: (\S+)\ndata: (.*)$/;

/** Follows a queue, comes back whenever its connection is lost, and counts what it receives and misses. */
export class Follower {
  lastEventId = '0-0';
  received = 0;
  /** Events that it knew already. */
  repeated = 0;
  gaps = 0;
  /** Jobs that it saw neither added nor covered by a gap. */
  missed = 0;
  losses = 0;
  /** The most milliseconds from an event until it was received. */
  latest = 0;
  readonly completed = new Set<string>();
  readonly #target: Target;
  readonly #path: string;
  readonly #left = new AbortController();
  #lastAdded = 0;
  #isAfterGap = false;
  #connection: IncomingMessage | undefined;

  private constructor(target: Target, queue: string) {
    this.#target = target;
    this.#path = `/queues/${queue}/events`;
  }

  /** Resolves when the stream has begun, with all that happened before. */
  static async start(target: Target, queue: string): Promise<Follower> {
    const follower = new Follower(target, queue);
    void follower.#comeBackAgain(await follower.#connect());
    return follower;
  }

  loseConnection(): void {
    this.losses += 1;
    this.#connection?.destroy();
  }

  /** Resolves when the event was received, or nothing more for a while. */
  async until(id: string): Promise<void> {
    const patience = 10_000;
    for (
      let [idle, known] = [0, this.received];
      this.lastEventId !== id && idle < patience;
      idle += 5
    ) {
      await sleep(5);
      if (this.received !== known) [idle, known] = [0, this.received];
    }
  }

  stop(): void {
    this.#left.abort();
    this.#connection?.destroy();
  }

  async #connect(): Promise<IncomingMessage> {
    const { host, port, token } = this.#target;
    const headers = { authorization: `Bearer ${token}`, 'last-event-id': this.lastEventId };
    const request = get({ host, port, path: this.#path, headers, agent: false });
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    if (answer.statusCode !== 200)
      throw new Error(`Events were answered with ${answer.statusCode}`);
    this.#connection = answer.setEncoding('utf8');
    return answer;
  }

  async #comeBackAgain(first: IncomingMessage): Promise<void> {
    for (let answer = first; !this.#left.signal.aborted; answer = await this.#connect()) {
      let text = '';
      try {
        for await (const piece of answer) {
          const blocks = (text + String(piece)).split('\n\n');
          text = blocks.pop() ?? '';
          for (const block of blocks) this.#take(block);
        }
      } catch {
        // The connection is lost.
      }
    }
  }

  #take(block: string): void {
    const [, id = '', name, data = ''] = EVENT.exec(block) ?? [];
    if (name === undefined) return;
    this.received += 1;
    const isNew = isBehind(id, this.lastEventId);
    this.lastEventId = id;
    this.latest = Math.max(this.latest, Date.now() - Number(id.split('-')[0]));
    if (name === 'gap') {
      this.gaps += 1;
      this.#isAfterGap = true;
    } else if (!isNew) this.repeated += 1;
    else if (name === 'added') {
      const added = Number(jobOf(data));
      if (!this.#isAfterGap) this.missed += added - this.#lastAdded - 1;
      this.#isAfterGap = false;
      this.#lastAdded = added;
    } else if (name === 'completed') this.completed.add(jobOf(data));
  }
}

function jobOf(data: string): string {
  return (JSON.parse(data) as { jobId: string }).jobId;
}

function isBehind(id: string, other: string): boolean {
  const [time = 0, place = 0] = id.split('-').map(Number);
  const [otherTime = 0, otherPlace = 0] = other.split('-').map(Number);
  return time > otherTime || (time === otherTime && place > otherPlace);
}
