import type { ClockPort } from '../ports/clock-port.ts';
import { EndpointCallError, type WebhookPort } from '../ports/webhook-port.ts';

/** How many connections in a row must fail before jobs for the origin are put off. */
const FAILURES = 10;

/** For how long (ms) jobs for such an origin are put off. */
export const PUT_OFF = 1000;

/** The most origins that are watched: the earliest of more is forgotten. */
const MOST_ORIGINS = 1000;

interface Failed {
  readonly times: number;
  /** Epoch ms. */
  readonly at: number;
}

/**
 * The origins of destinations that took no connection on this replica lately, so that jobs for them do not keep others
 * of their queue waiting (further contract, section 23).
 */
export class UnreachableOrigins {
  readonly #clock: Pick<ClockPort, 'now'>;
  /** Only origins whose latest connection failed. */
  readonly #failed = new Map<string, Failed>();

  constructor(clock: Pick<ClockPort, 'now'>) {
    this.#clock = clock;
  }

  /** Whether jobs for the origin of the URL are put off now. */
  includes(url: string): boolean {
    // Almost always no origin is watched, and then none is parsed.
    const failed = this.#failed.size === 0 ? undefined : this.#failed.get(new URL(url).origin);
    if (failed === undefined || failed.times < FAILURES) return false;
    return this.#clock.now() < failed.at + PUT_OFF;
  }

  /** The same client, whose calls are noted here. */
  noting(webhook: Pick<WebhookPort, 'call'>): Pick<WebhookPort, 'call'> {
    return {
      call: async (call, cancellation) => {
        const originOf = (): string => new URL(call.endpoint.url).origin;
        try {
          const answer = await webhook.call(call, cancellation);
          if (this.#failed.size > 0) this.#failed.delete(originOf());
          return answer;
        } catch (error) {
          // A refusal by the guard of addresses is final, and no connection was tried.
          const isRefused = error instanceof EndpointCallError && error.outcome === 'refused';
          if (isRefused && !error.final) this.#noteFailure(originOf());
          throw error;
        }
      },
    };
  }

  #noteFailure(origin: string): void {
    const times = (this.#failed.get(origin)?.times ?? 0) + 1;
    this.#failed.delete(origin);
    this.#failed.set(origin, { times, at: this.#clock.now() });
    if (this.#failed.size <= MOST_ORIGINS) return;
    for (const earliest of this.#failed.keys()) {
      this.#failed.delete(earliest);
      return;
    }
  }
}
