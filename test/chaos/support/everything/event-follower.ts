import { setTimeout as sleep } from 'node:timers/promises';
import { EventStream, type StreamedEvent } from '../../../support/event-stream.ts';
import { ServiceProcess } from '../../../support/service-process.ts';
import type { Replicas } from '../replicas.ts';

/** How long each connection lives, in milliseconds. */
const CONNECTION = 1500;

/** How long a connection may take to be made, in milliseconds. */
const PATIENCE = 2500;

/** Pause after a connection that was not made, in milliseconds. */
const PAUSE = 100;

/** Follows the events of all queues, over connections that break, each through another replica. */
export class EventFollower {
  /** `queue/job` of what ended. */
  readonly ended = new Set<string>();
  /** The queues that a gap was in. */
  readonly gaps = new Set<string>();
  /** When jobs started, by the clock of the store (epoch ms), by queue. */
  readonly starts = new Map<string, number[]>();
  /** The ids of events that came more than once. */
  readonly repeated: string[] = [];
  connections = 0;
  readonly #ids = new Set<string>();
  readonly #replicas: Replicas;
  readonly #left = new AbortController();
  readonly #running: Promise<void>;
  #lastEventId = '';

  constructor(replicas: Replicas) {
    this.#replicas = replicas;
    this.#running = this.#run();
  }

  async end(): Promise<void> {
    this.#left.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#left.signal.aborted) {
      const stream = await this.#open();
      if (stream === undefined) await sleep(PAUSE);
      else await this.#follow(stream);
    }
  }

  async #open(): Promise<EventStream | undefined> {
    const opening = EventStream.open(
      `${this.#replicas.next.url}/events?events=active,completed,failed`,
      {
        authorization: `Bearer ${ServiceProcess.token}`,
        ...(this.#lastEventId !== '' && { 'last-event-id': this.#lastEventId }),
      },
    ).catch(() => undefined);
    const late = sleep(PATIENCE).then(() => undefined);
    const stream = await Promise.race([opening, late]);
    if (stream === undefined) void opening.then((opened) => opened?.close());
    return stream;
  }

  async #follow(stream: EventStream): Promise<void> {
    this.connections += 1;
    const end = setTimeout(() => stream.close(), CONNECTION);
    for (let event = await stream.next(); event !== undefined; event = await stream.next()) {
      this.#lastEventId = event.id;
      this.#enter(event);
    }
    // Without events too a comment says where the stream was.
    if (stream.lastEventId !== '') this.#lastEventId = stream.lastEventId;
    clearTimeout(end);
    stream.close();
  }

  #enter({ id, event, data: { queue, jobId = '', timestamp } }: StreamedEvent): void {
    if (event === 'gap') this.gaps.add(queue);
    else if (this.#ids.has(id)) this.repeated.push(id);
    else if (event === 'active') this.#startsOf(queue).push(timestamp);
    else this.ended.add(`${queue}/${jobId}`);
    this.#ids.add(id);
  }

  #startsOf(queue: string): number[] {
    const starts = this.starts.get(queue) ?? [];
    this.starts.set(queue, starts);
    return starts;
  }
}
