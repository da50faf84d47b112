import { answer, EndpointServer, type EndpointCall } from '../../support/endpoint-server.ts';

/** Where a service may be killed in the life of a job of six steps. */
export const KILL_POINTS = [
  'charge: called',
  'charge: put',
  'charge: saved',
  'charge: answered',
  'reserve: called',
  'reserve: answered',
  'rest: called',
  'rest: answered',
  'paid: called',
  'paid: answered',
  'paid: signalled',
  'ship: called',
  'ship: answered',
  'part: called',
  'part: answered',
  'done: called',
  'done: answered',
] as const;

export type KillPoint = (typeof KILL_POINTS)[number];

type Steps = Readonly<Record<string, unknown>>;

/**
 * The endpoint of a job of six steps: one that it saves during the call, one that its answer saves, a sleep, a signal, and
 * two jobs. It holds against the service whatever it is asked again for that it knows to be saved.
 */
export class SteppingEndpoint {
  readonly #server: EndpointServer;
  /** The steps that each job has, as far as the service showed them or said that they are saved. */
  readonly #known = new Map<string, Set<string>>();
  /** What the service did that it may not do. */
  readonly violations: string[] = [];
  /** How often a job was called with the same steps. */
  readonly calls = new Map<string, number>();
  /** Called at each point, before the endpoint goes on. */
  at: (point: KillPoint, id: string) => Promise<void> = () => Promise.resolve();
  readonly #put: (id: string, token: string, step: string, value: unknown) => Promise<number>;

  private constructor(
    server: EndpointServer,
    put: (id: string, token: string, step: string, value: unknown) => Promise<number>,
  ) {
    this.#server = server;
    this.#put = put;
    server.respond = (call, response) => this.#respond(call, response);
  }

  /** @param put saves a step; returns the status of the answer, 0 without one. */
  static async start(
    put: (id: string, token: string, step: string, value: unknown) => Promise<number>,
  ): Promise<SteppingEndpoint> {
    return new SteppingEndpoint(await EndpointServer.start(), put);
  }

  get url(): string {
    return this.#server.url;
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  async #respond(
    call: EndpointCall,
    response: Parameters<EndpointServer['respond']>[1],
  ): Promise<void> {
    const { job, token, steps = {} } = call.body as EndpointCall['body'] & { steps?: Steps };
    if (job.name === 'part') {
      await this.at('part: called', job.id);
      await answer(200, { part: job.data })(call, response);
      await this.at('part: answered', job.id);
      return;
    }
    this.#check(job.id, steps);
    const next = ['charge', 'reserve', 'rest', 'paid', 'ship'].find((step) => !(step in steps));
    const name = (next ?? 'done') as 'charge' | 'reserve' | 'rest' | 'paid' | 'ship' | 'done';
    await this.at(`${name}: called`, job.id);
    await answer(...(await this.#answerOf(name, job.id, token)))(call, response);
    await this.at(`${name}: answered`, job.id);
  }

  async #answerOf(
    name: string,
    id: string,
    token: string,
  ): Promise<readonly [status: number, body: unknown]> {
    switch (name) {
      case 'charge': {
        await this.at('charge: put', id);
        const status = await this.#put(id, token, 'charge', { amount: 17 });
        if (status === 200 || status === 201) this.#knownOf(id).add('charge');
        await this.at('charge: saved', id);
        return [206, { steps: { reserve: 1 } }];
      }
      case 'reserve':
        return [206, { steps: { reserve: 1 } }];
      case 'rest':
        return [206, { sleep: { rest: 20 } }];
      case 'paid':
        return [206, { waitFor: { paid: { signal: `paid:${id}` } } }];
      case 'ship':
        return [206, { add: { ship: [1, 2].map((data) => this.#part(data)) } }];
      default:
        return [200, 'done'];
    }
  }

  #part(data: number): object {
    return { queue: this.queue, name: 'part', data };
  }

  /** The queue of the jobs. */
  queue = '';

  #check(id: string, steps: Steps): void {
    const known = this.#knownOf(id);
    for (const step of known) {
      if (!(step in steps)) this.violations.push(`${id} is called without its step ${step}`);
    }
    for (const step of Object.keys(steps)) known.add(step);
    const key = `${id}: ${Object.keys(steps).join(' ')}`;
    this.calls.set(key, (this.calls.get(key) ?? 0) + 1);
  }

  #knownOf(id: string): Set<string> {
    const known = this.#known.get(id) ?? new Set();
    this.#known.set(id, known);
    return known;
  }
}
