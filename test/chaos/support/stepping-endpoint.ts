import { answer, EndpointServer, type EndpointCall } from '../../support/endpoint-server.ts';

/** Where the service or the endpoint is killed in the life of a job of six steps. */
export const KILL_POINTS = [
  'added',
  'charge: called',
  'charge: sent',
  'charge: saved',
  'charge: answered',
  'mail: called',
  'mail: answered',
  'rest: called',
  'rest: answered',
  'paid: called',
  'paid: answered',
  'paid: suspended',
  'paid: signal sent',
  'paid: signalled',
  'ship: called',
  'ship: answered',
  'part: called',
  'part: answered',
  'done: called',
  'done: answered',
] as const;

export type KillPoint = (typeof KILL_POINTS)[number];

/** In the order in which the endpoint does them; the answer that follows `charge` saves `reserve`. */
const STEPS = ['charge', 'reserve', 'mail', 'rest', 'paid', 'ship'] as const;

/** Saves a step. @returns the value that it has by then; undefined when no answer says. */
export type PutStep = (
  id: string,
  token: string,
  step: string,
  value: unknown,
) => Promise<{ readonly value: unknown } | undefined>;

/**
 * The endpoint of jobs of six steps: one that it saves during the call, two that its answers save, a sleep, a signal, and
 * two jobs. It holds against the service whatever it is asked for again that it knows to be saved.
 */
export class SteppingEndpoint {
  readonly #server: EndpointServer;
  readonly #put: PutStep;
  readonly #queue: string;
  /** The values that each job has, as JSON, as far as the service showed them or said that they are saved. */
  readonly #known = new Map<string, Map<string, string>>();
  /** How often each job was called, with the same steps. */
  readonly #calls = new Map<string, Map<string, number>>();
  /** The jobs that were added for each part of a job. */
  readonly #parts = new Map<string, Set<string>>();
  #charges = 0;
  #crashes = 0;
  /** What the service did that it may not do. */
  readonly violations: string[] = [];
  /** Called at each point, before the endpoint goes on. */
  at: (point: KillPoint) => void = () => undefined;

  private constructor(server: EndpointServer, queue: string, put: PutStep) {
    this.#server = server;
    this.#queue = queue;
    this.#put = put;
    server.respond = (call, response) => this.#respond(call, response);
  }

  static async start(queue: string, put: PutStep): Promise<SteppingEndpoint> {
    return new SteppingEndpoint(await EndpointServer.start(), queue, put);
  }

  get url(): string {
    return this.#server.url;
  }

  crash(): Promise<void> {
    this.#crashes += 1;
    return this.#server.crash();
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  /** How many calls of a job repeated the steps of an earlier one. */
  repeated(id: string): number {
    const counts = [...(this.#calls.get(id)?.values() ?? [])];
    return counts.reduce((sum, count) => sum + count - 1, 0);
  }

  /** How many jobs were called as parts of a job. */
  partsOf(id: string): number {
    return this.#parts.get(id)?.size ?? 0;
  }

  async #respond(
    call: EndpointCall,
    response: Parameters<EndpointServer['respond']>[1],
  ): Promise<void> {
    const {
      job,
      token,
      steps = {},
    } = call.body as EndpointCall['body'] & {
      steps?: Readonly<Record<string, unknown>>;
    };
    const crashes = this.#crashes;
    // A process that is dead does nothing more.
    const reach = (point?: KillPoint): void => {
      if (point !== undefined && crashes === this.#crashes) this.at(point);
      if (crashes !== this.#crashes) throw new Error('The endpoint was killed');
    };
    if (job.name === 'part') {
      const of = job.data as string;
      this.#parts.set(of, (this.#parts.get(of) ?? new Set()).add(job.id));
      reach('part: called');
      await answer(200, { of })(call, response);
      reach('part: answered');
      return;
    }
    this.#check(job.id, steps);
    const next = STEPS.find((step) => !(step in steps)) ?? 'done';
    const name = next === 'reserve' ? 'charge' : next;
    reach(`${name}: called`);
    if (name === 'charge') await this.#charge(job.id, token, reach);
    const [status, body] = this.#answerOf(name, job.id);
    await answer(status, body)(call, response);
    reach(`${name}: answered`);
  }

  async #charge(id: string, token: string, reach: (point?: KillPoint) => void): Promise<void> {
    this.#charges += 1;
    const saving = this.#put(id, token, 'charge', { amount: this.#charges });
    reach('charge: sent');
    const saved = await saving;
    reach();
    if (saved !== undefined) this.#learn(id, 'charge', saved.value);
    reach('charge: saved');
  }

  #answerOf(
    name: Exclude<(typeof STEPS)[number], 'reserve'> | 'done',
    id: string,
  ): readonly [status: number, body: unknown] {
    switch (name) {
      case 'charge':
        return [206, { steps: { reserve: 1 } }];
      case 'mail':
        return [206, { steps: { mail: 'sent' } }];
      case 'rest':
        return [206, { sleep: { rest: 20 } }];
      case 'paid':
        return [206, { waitFor: { paid: { signal: `paid:${id}` } } }];
      case 'ship': {
        const part = { queue: this.#queue, name: 'part', data: id };
        return [206, { add: { ship: [part, part] } }];
      }
      case 'done':
        return [200, 'done'];
    }
  }

  #check(id: string, steps: Readonly<Record<string, unknown>>): void {
    for (const name of this.#known.get(id)?.keys() ?? []) {
      if (!(name in steps)) this.violations.push(`${id} is called without its step ${name}`);
    }
    for (const [name, value] of Object.entries(steps)) this.#learn(id, name, value);
    const key = Object.keys(steps).join(' ');
    const calls = this.#calls.get(id) ?? new Map<string, number>();
    this.#calls.set(id, calls.set(key, (calls.get(key) ?? 0) + 1));
  }

  #learn(id: string, name: string, value: unknown): void {
    const known = this.#known.get(id) ?? new Map<string, string>();
    const [before, text] = [known.get(name), JSON.stringify(value)];
    if (before !== undefined && before !== text) {
      this.violations.push(`${name} of ${id} was ${before} and is ${text}`);
    }
    this.#known.set(id, known.set(name, text));
  }
}
