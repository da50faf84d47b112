import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { EventEmitter, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { Fail, Jobgate, NotNow, Retry, type Context } from '../../clients/typescript/src/index.ts';

type Answer = number | 'lost' | 'page' | 'there';

interface Scenario {
  readonly title: string;
  readonly job: string;
  readonly steps?: Readonly<Record<string, unknown>>;
  readonly rests?: boolean;
  readonly lock?: number;
  readonly closeTimeout?: number;
  readonly signal?: 'SIGTERM';
  readonly answers?: Readonly<Record<string, readonly Answer[]>>;
  readonly runs?: number;
  readonly claims?: number;
  readonly reports?: readonly (readonly [verb: string, body: unknown])[];
  readonly verbs?: readonly string[];
}

const FILE = new URL('../../clients/conformance/pull.json', import.meta.url);
const scenarios = JSON.parse(readFileSync(FILE, 'utf8')) as readonly Scenario[];

/** Stands in for the service, and answers as a scenario says. */
class PlayedService {
  readonly reports: (readonly [verb: string, body: unknown])[] = [];
  claims = 0;
  readonly #scenario: Scenario;
  readonly #server: Server;
  readonly #counts = new Map<string, number>();
  #isGiven = false;

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = JSON.parse(await text(request)) as unknown;
    const verb = request.url?.split('/').at(-1) ?? '';
    const count = this.#counts.get(verb) ?? 0;
    this.#counts.set(verb, count + 1);
    const { answers, job: name, steps } = this.#scenario;
    const answer = answers?.[verb]?.[count] ?? 200;
    if (verb === 'claim') this.claims += 1;
    else this.reports.push([verb, body]);
    if (answer === 'lost') request.socket.destroy();
    else if (answer === 'page') response.end('<html></html>');
    else if (answer === 'there') response.end('"there"');
    else if (answer !== 200) response.writeHead(answer).end('no');
    else if (verb !== 'claim') {
      response.writeHead(request.method === 'PUT' ? 201 : 200).end('"OK"');
    } else if (!this.#isGiven) {
      this.#isGiven = true;
      const job = { id: '1', name, data: { to: 'é' }, attemptsMade: 0 };
      response.end(JSON.stringify([{ job, token: 'job-token', steps }]));
    }
  }
}

describe('The pull worker of the TypeScript client', () => {
  for (const scenario of scenarios) {
    it(scenario.title, async () => {
      const { lock = 30_000, closeTimeout = 20_000, runs: expectedRuns = 1 } = scenario;
      const service = new PlayedService(scenario);
      const url = await service.start();
      let runs = 0;
      const handler = new EventEmitter();
      const begun = once(handler, 'begun');
      const ended = once(handler, 'ended');
      const ran =
        (work: (data: unknown, context: Context) => unknown) =>
        async ({ data }: { readonly data: unknown }, context: Context) => {
          runs += 1;
          handler.emit('begun');
          try {
            return await work(data, context);
          } finally {
            handler.emit('ended');
          }
        };
      const throwing = (error: Error) =>
        ran(() => {
          throw error;
        });
      const circular: unknown[] = [];
      circular.push(circular);
      const worker = new Jobgate({ url, token: 'api-token' }).pull(
        'mail',
        {
          handlers: {
            echo: ran((data) => data),
            nothing: ran(() => undefined),
            fail: throwing(new Fail('wrong')),
            retry: throwing(new Retry('later', { after: 1500 })),
            notNow: throwing(new NotNow({ after: 3000 })),
            throw: throwing(new Error('broken')),
            circular: ran(() => circular),
            report: ran(async (data, context) => {
              await context.progress(50).catch(() => undefined);
              await context.log('a line');
              return data;
            }),
            steps: ran(async (data, context) => {
              for (let step = 1; step <= 20; step += 1) await context.progress(step);
              return data;
            }),
            charge: ran((_, context) => context.steps.run('charge', () => ({ id: 'ch_1' }))),
            mail: ran((_, context) => context.steps.run('mail', () => undefined)),
            rest: ran((_, context) => context.steps.sleep('rest', '1h30m').catch(() => 'caught')),
            soon: ran((data) => setTimeout(100, data)),
            wait: ran(
              (_, { signal }) =>
                new Promise((resolve) => signal.addEventListener('abort', () => resolve(1))),
            ),
          },
        },
        { lock, closeTimeout, signals: scenario.signal !== undefined },
      );
      try {
        const { signal } = scenario;
        if (signal ?? scenario.closeTimeout) await begun;
        else if (expectedRuns > 0 && scenario.rests !== true) await ended;
        else while (service.reports.length === 0) await setTimeout(5);
        if (signal === undefined) await worker.close();
        else process.emit(signal, signal);
        await worker.closed;
        const { reports, verbs, claims = 1 } = scenario;
        if (reports !== undefined) expect(service.reports).to.deep.equal(reports);
        if (verbs !== undefined) {
          expect(service.reports.map(([verb]) => verb)).to.deep.equal(verbs);
        }
        expect(runs).to.equal(expectedRuns);
        expect(service.claims).to.be.at.least(claims);
      } finally {
        service.stop();
      }
    });
  }
});
