import { ROOT, apiPath, withQuery } from '../../api/request.ts';
import { findOutWho } from '../../api/session.ts';
import type { Digest } from '../../api/digest-stream.ts';

/** The kinds of events that report outcomes of jobs and queues; the others report the steps to them. */
export const KINDS = [
  'added',
  'completed',
  'failed',
  'cancelled',
  'delayed',
  'deferred',
  'suspended',
  'stalled',
  'removed',
  'paused',
  'resumed',
  'held',
] as const;

/** More events than this per second are summed up: they are too many to read one by one. */
const FAST = 50;

/** How long the rate has to stay below that before events are shown one by one again, in seconds. */
const CALM = 5;

/** How often new events are shown, in milliseconds. */
const FLUSH = 500;

/** How soon to reopen a lost stream that the browser does not reopen by itself, in milliseconds. */
const AGAIN = 4000;

export interface Happening {
  readonly key: number;
  readonly at: number;
  readonly queue: string;
  readonly kind: string;
  /** The job of a single event. */
  readonly job?: string;
  /** How many of this kind happened in a second. */
  readonly count?: number;
}

interface JobEvent {
  readonly queue: string;
  readonly timestamp: number;
  readonly jobId?: string;
}

/** The events of queues: one by one, or summed up by the second while there are too many. */
export class EventFeed {
  readonly #queue: string;
  readonly #kinds: readonly string[];
  readonly #opened: () => void;
  readonly #take: (happenings: readonly Happening[]) => void;
  readonly #repeat: number;
  #source: EventSource | undefined;
  #again: number | undefined;
  #fresh: Happening[] = [];
  #isSummed = false;
  #count = 0;
  #calm = 0;
  #lastKey = 0;
  #second = 0;

  /**
   * @param queue empty for all queues.
   * @param kind empty for all kinds.
   * @param opened is called once no later event can be missed.
   * @param take receives the happenings, newest first.
   */
  constructor(
    queue: string,
    kind: string,
    opened: () => void,
    take: (happenings: readonly Happening[]) => void,
  ) {
    this.#queue = queue;
    this.#kinds = kind === '' ? KINDS : [kind];
    this.#opened = opened;
    this.#take = take;
    this.#open();
    this.#repeat = setInterval(() => this.#flush(), FLUSH);
  }

  close(): void {
    clearInterval(this.#repeat);
    clearTimeout(this.#again);
    this.#source?.close();
  }

  #open(): void {
    this.#source?.close();
    const path = this.#queue === '' ? 'events' : apiPath('queues', this.#queue, 'events');
    const parameters = this.#isSummed ? { digest: 1000 } : { events: this.#kinds.join(',') };
    const source = new EventSource(new URL(withQuery(path, parameters), ROOT));
    this.#source = source;
    for (const kind of this.#kinds) {
      source.addEventListener(kind, ({ data }: MessageEvent<string>) => {
        const { queue, timestamp, jobId } = JSON.parse(data) as JobEvent;
        this.#add({ at: timestamp, queue, kind, ...(jobId !== undefined && { job: jobId }) });
        this.#count += 1;
      });
    }
    source.addEventListener('digest', ({ data }: MessageEvent<string>) => {
      const { queue, timestamp, happened } = JSON.parse(data) as Digest;
      for (const kind of this.#kinds) {
        const count = happened[kind] ?? 0;
        if (count > 0) this.#add({ at: timestamp, queue, kind, count });
        this.#count += count;
      }
    });
    source.onopen = () => this.#opened();
    source.onerror = () => {
      void findOutWho();
      if (source.readyState !== EventSource.CLOSED) return;
      clearTimeout(this.#again);
      this.#again = setTimeout(() => this.#open(), AGAIN);
    };
  }

  #add(happening: Omit<Happening, 'key'>): void {
    this.#lastKey += 1;
    this.#fresh.unshift({ key: this.#lastKey, ...happening });
  }

  #flush(): void {
    if (this.#fresh.length > 0) {
      this.#take(this.#isSummed || this.#count <= FAST ? this.#fresh : []);
      this.#fresh = [];
    }
    this.#second += FLUSH;
    if (!this.#isSummed && this.#count > FAST) this.#sum(true);
    if (this.#second < 1000) return;
    this.#calm = this.#count > FAST ? 0 : this.#calm + 1;
    this.#second = 0;
    this.#count = 0;
    if (this.#isSummed && this.#calm >= CALM) this.#sum(false);
  }

  #sum(isSummed: boolean): void {
    this.#isSummed = isSummed;
    this.#calm = 0;
    this.#open();
  }
}
