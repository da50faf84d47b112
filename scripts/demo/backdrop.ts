import { setTimeout as sleep } from 'node:timers/promises';
import type { LoggerPort } from '../../src/application/ports/logger-port.ts';
import type { BackdropEndpoint } from './backdrop-endpoint.ts';
import type { RestClient } from './rest-client.ts';

/** How often jobs are added, in milliseconds. */
const INTERVAL = 1000;

const HOUR = 3_600_000;

/** How many ended jobs of a queue stay, however long demos run. */
const KEPT = { count: 1000 };

interface Team {
  readonly queue: string;
  /** Of its endpoint. */
  readonly path: string;
  readonly opts?: object;
  readonly job: (number: number) => object;
  /** Jobs that are there from the start. */
  readonly backlog: number;
  /** Jobs that are added each time. */
  readonly stream: number;
}

const TEAMS: readonly Team[] = [
  {
    queue: 'thumbnails',
    path: '/scale',
    opts: { concurrency: 4 },
    job: (number) => ({
      name: 'scale',
      data: {
        file: `photo-${number}.${number % 17 === 0 ? 'txt' : 'png'}`,
        size: { width: 320, height: 200 },
        customer: number % 40,
      },
      opts: { attempts: 2, backoff: { type: 'exponential', delay: 1000 } },
    }),
    backlog: 80,
    stream: 6,
  },
  {
    queue: 'search-index',
    path: '/index',
    opts: { concurrency: 8, limiter: { max: 5, duration: 1000 } },
    job: (number) => ({ name: 'index', data: { document: number, language: 'en' } }),
    backlog: 300,
    stream: 5,
  },
  {
    queue: 'newsletter',
    path: '/mail',
    opts: { concurrency: 10, breaker: { failures: 3, openFor: 600_000 } },
    job: (number) => ({
      name: 'welcome',
      data: { to: `reader-${number}@example.com` },
      opts: { attempts: 5, backoff: { type: 'exponential', delay: 60_000 } },
    }),
    backlog: 25,
    stream: 1,
  },
  {
    queue: 'reports',
    path: '/report',
    opts: { concurrency: 2 },
    job: (number) => ({
      name: 'monthly',
      data: { month: number, format: 'pdf' },
      opts: { attempts: 3 },
    }),
    backlog: 30,
    stream: 0,
  },
  {
    queue: 'invoices',
    path: '/index',
    opts: { concurrency: 2 },
    job: (number) => ({ name: 'print', data: { invoice: 2_026_000 + number } }),
    backlog: 12,
    stream: 0,
  },
  {
    queue: 'receipts',
    path: '/receipt',
    opts: { concurrency: 2, breaker: { failures: 3, openFor: 2000, maxOpenFor: 2000 } },
    job: (number) => ({
      name: 'send',
      data: { receipt: number },
      opts: { attempts: 10, backoff: 5000 },
    }),
    backlog: 5,
    stream: 1,
  },
];

/** Says when an endpoint fails, and when that is over. */
const HOOK = '/hooks/demo';

/** Queues of other teams beside the one of the tour, so that the dashboard has something to show. */
export class Backdrop {
  readonly #jobgate: RestClient;
  readonly #endpoint: BackdropEndpoint;
  #number = 0;

  constructor(jobgate: RestClient, endpoint: BackdropEndpoint) {
    this.#jobgate = jobgate;
    this.#endpoint = endpoint;
  }

  /**
   * Adds jobs until the signal aborts.
   *
   * @param isBack whether an earlier demo has prepared the queues.
   */
  async run(isBack: boolean, signal: AbortSignal): Promise<void> {
    for (const { queue, path, opts } of TEAMS) {
      const endpoint = { url: `${this.#endpoint.url}${path}`, method: 'post' };
      await this.#jobgate.call('POST', '/workers', { queue, endpoint, opts });
    }
    await this.#jobgate.call('PUT', HOOK, {
      url: `${this.#endpoint.url}/hook`,
      events: ['worker.open'],
      queues: ['receipts'],
      for: 0,
      format: 'slack',
    });
    if (!isBack) await this.#prepare();
    while (!signal.aborted) {
      for (const team of TEAMS) await this.#add(team, team.stream);
      await sleep(INTERVAL, undefined, { signal }).catch(() => undefined);
    }
  }

  /** The next demo has its endpoints at other addresses. */
  async removeHook(): Promise<void> {
    await this.#jobgate.call('DELETE', HOOK);
  }

  async #prepare(): Promise<void> {
    await this.#jobgate.call('PUT', '/policy', {
      defaults: { removeOnComplete: KEPT, removeOnFail: KEPT },
    });
    for (const team of TEAMS) await this.#add(team, team.backlog);
    await this.#jobgate.call('POST', '/queues/invoices/pause');
    await this.#jobgate.call('PUT', '/queues/reports/schedulers/nightly', {
      repeat: { pattern: '30 2 * * *', tz: 'Europe/Berlin' },
      job: { name: 'nightly', data: { format: 'csv' } },
    });
    await this.#jobgate.call('PUT', '/queues/search-index/schedulers/sweep', {
      repeat: { every: HOUR / 4 },
      job: { name: 'sweep', data: null },
    });
    await this.#jobgate.call('POST', '/flows', {
      queue: 'reports',
      name: 'yearly',
      data: { year: 2026 },
      children: [
        { queue: 'invoices', name: 'collect', data: { year: 2026 } },
        { queue: 'thumbnails', name: 'cover', data: { file: 'cover.png' } },
      ],
    });
  }

  async #add({ queue, job }: Team, count: number): Promise<void> {
    if (count === 0) return;
    const jobs = Array.from({ length: count }, () => job((this.#number += 1)));
    await this.#jobgate.call('POST', `/queues/${queue}/jobs`, jobs);
  }
}

/** A log without the lines of these queues: the terminal shows the tour. */
export function withoutBackdrop(logger: LoggerPort): LoggerPort {
  const queues: ReadonlySet<unknown> = new Set(TEAMS.map(({ queue }) => queue));
  const quiet = (level: 'debug' | 'info' | 'warn' | 'error'): LoggerPort['info'] => {
    return (message, fields) => {
      if (!queues.has(fields?.['queue']) && fields?.['hook'] === undefined)
        logger[level](message, fields);
    };
  };
  return {
    writesDebug: logger.writesDebug,
    debug: quiet('debug'),
    info: quiet('info'),
    warn: quiet('warn'),
    error: quiet('error'),
  };
}
