import { signal } from '@preact/signals';
import { ROOT } from './request.ts';
import { isLive, missed } from './following.ts';
import { findOutWho } from './session.ts';

/** How many jobs of a queue came to what, such as `failed`, in the second before the timestamp. */
export interface Digest {
  readonly queue: string;
  readonly timestamp: number;
  readonly happened: Readonly<Record<string, number>>;
}

/** Receives each digest, and undefined when some were missed. */
export type Listener = (digest?: Digest) => void;

/** How many failures happened since the page was hidden, for its title. */
export const missedFailures = signal(0);

/** Failures by queue that have not been announced yet. */
let failures = new Map<string, number>();

/** Takes the failures by queue since the last call. */
export function takeFailures(): readonly (readonly [queue: string, count: number])[] {
  const taken = [...failures];
  failures = new Map();
  return taken;
}

/**
 * How long a page is hidden before it closes its stream, and how soon a lost stream is opened again, in milliseconds.
 */
const HIDDEN = 30_000;
const AGAIN = 4000;

/**
 * A stream of digests for all that follow the same path: browsers open few connections to a host, so a page has one. It
 * is closed while the page is hidden, or kept in the browser's cache of pages.
 */
export class DigestStream {
  readonly #path: string;
  readonly #listeners = new Set<Listener>();
  readonly #stop = new AbortController();
  #source: EventSource | undefined;
  #timer: number | undefined;

  constructor(path: string) {
    this.#path = path;
    const { signal } = this.#stop;
    document.addEventListener('visibilitychange', () => this.#follow(), { signal });
    addEventListener('pagehide', () => this.#close(), { signal });
    addEventListener('pageshow', ({ persisted }) => persisted && this.#comeBack(), { signal });
    this.#open();
  }

  add(listener: Listener): void {
    this.#listeners.add(listener);
  }

  /** @returns whether any listener is left. */
  remove(listener: Listener): boolean {
    this.#listeners.delete(listener);
    if (this.#listeners.size > 0) return true;
    this.#stop.abort();
    this.#close();
    return false;
  }

  #open(): void {
    const source = new EventSource(new URL(this.#path, ROOT));
    this.#source = source;
    source.addEventListener('digest', ({ data }: MessageEvent<string>) => {
      const digest = JSON.parse(data) as Digest;
      const failed = digest.happened['failed'] ?? 0;
      if (document.hidden) missedFailures.value += failed;
      if (!isLive.value) missed.value += Math.max(0, ...Object.values(digest.happened));
      if (failed > 0) failures.set(digest.queue, (failures.get(digest.queue) ?? 0) + failed);
      this.#announce(digest);
    });
    source.addEventListener('gap', () => this.#announce());
    source.onerror = () => {
      // Finds out why: the service may be away, or the session may have ended.
      void findOutWho();
      // In any other state the browser reconnects by itself.
      if (source.readyState === EventSource.CLOSED) this.#later(AGAIN, () => this.#comeBack());
    };
  }

  #follow(): void {
    if (document.hidden) {
      this.#later(HIDDEN, () => this.#close());
      return;
    }
    missedFailures.value = 0;
    if (this.#source === undefined) this.#comeBack();
    else clearTimeout(this.#timer);
  }

  #comeBack(): void {
    this.#close();
    this.#open();
    this.#announce();
  }

  #close(): void {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = undefined;
  }

  #later(time: number, task: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(task, time);
  }

  #announce(digest?: Digest): void {
    for (const listener of this.#listeners) listener(digest);
  }
}
