import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from '../../src/domain/jobs/job.ts';
import { RestClient } from './rest-client.ts';
import type { Screen } from './screen.ts';

/** How long each step of a mail takes, in milliseconds: slow enough to be watched. */
const STEP = 150;

interface Call {
  readonly job: Job;
  readonly token: string;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** The endpoint of a team that sends welcome mails, or here pretends to. */
export class SampleEndpoint {
  readonly #server: Server;
  readonly #jobgateUrl: string;
  readonly #screen: Screen;

  private constructor(jobgateUrl: string, screen: Screen) {
    this.#jobgateUrl = jobgateUrl;
    this.#screen = screen;
    this.#server = createServer((request, response) => {
      void json(request)
        .then((call) => this.#answer(call as Call))
        .catch((error: unknown) => ({ status: 500, body: { message: String(error) } }))
        .then(({ status, body }) => {
          response.writeHead(status, { 'Content-Type': 'application/json' });
          response.end(JSON.stringify(body));
        });
    });
  }

  /** @param jobgateUrl where it reports progress and logs to. */
  static async start(jobgateUrl: string, screen: Screen): Promise<SampleEndpoint> {
    const endpoint = new SampleEndpoint(jobgateUrl, screen);
    endpoint.#server.listen(0, '127.0.0.1');
    await once(endpoint.#server, 'listening');
    return endpoint;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/send`;
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer({ job, token }: Call): Promise<Answer> {
    const to = recipient(job);
    this.#say(job, `is called for ${to}, attempt ${job.attemptsMade + 1}`);
    const answer = await this.#send(to, job, new RestClient(this.#jobgateUrl, token));
    this.#say(job, `answers ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  }

  async #send(to: string, job: Job, jobgate: RestClient): Promise<Answer> {
    // It repeats nothing of the job, so that the log shows it too.
    if (!to.includes('@')) return { status: 422, body: { message: 'The address has no @' } };
    if (to.endsWith('@greylisting.example') && job.attemptsMade === 0) {
      return { status: 503, body: { message: 'Greylisted, try again later' } };
    }
    const path = `/queues/welcome-mails/jobs/${job.id}`;
    const steps = [
      [50, 'Rendered the template'],
      [100, 'Handed the mail over'],
    ] as const;
    for (const [percent, log] of steps) {
      await sleep(STEP);
      await jobgate.call('POST', `${path}/logs`, log);
      await jobgate.call('POST', `${path}/progress`, percent);
      this.#say(job, `reports ${percent} % and logs "${log}"`);
    }
    return { status: 200, body: { messageId: `mail-${job.id}@demo.example` } };
  }

  #say(job: Job, text: string): void {
    this.#screen.event(job.id, 'endpoint', text);
  }
}

function recipient({ data }: Job): string {
  const to = typeof data === 'object' && data !== null && 'to' in data ? data['to'] : undefined;
  return typeof to === 'string' ? to : 'a job without data.to';
}
