import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { ServiceProcess } from '../../support/service-process.ts';

/** What a client knows of an add after its only try. */
type Outcome = 'added' | 'refused' | 'unknown' | 'unanswered';

/** How many jobs an add has, and every fiftieth: more than stores take in one step. */
const [SMALL, LARGE] = [3, 120];

const PAGE = 1000;

interface Job {
  readonly name: string;
}

/** Adds of several jobs with an Idempotency-Key each, sent once, and how they were answered. */
export class KeyedAdds {
  readonly #queue: string;
  readonly #outcomes = new Map<number, Outcome>();
  #next = 0;

  constructor(queue: string) {
    this.#queue = queue;
  }

  /** How many were sent. */
  get sent(): number {
    return this.#next;
  }

  /** Sends the next one. */
  async send(service: ServiceProcess): Promise<void> {
    this.#next += 1;
    const number = this.#next;
    const answer = await this.#post(service, number).catch(() => undefined);
    if (answer?.status === 200) this.#outcomes.set(number, 'added');
    else if (answer === undefined) this.#outcomes.set(number, 'unanswered');
    else {
      expect(answer.status, `the answer to ${number}`).to.equal(503);
      const isUnknown = answer.headers.get('jobgate-stored') === 'unknown';
      this.#outcomes.set(number, isUnknown ? 'unknown' : 'refused');
    }
  }

  /** How many were answered in each way. */
  get counts(): Readonly<Record<Outcome, number>> {
    const counts = { added: 0, refused: 0, unknown: 0, unanswered: 0 };
    for (const outcome of this.#outcomes.values()) counts[outcome] += 1;
    return counts;
  }

  /** What is added is stored, what is refused is not, and the rest is stored whole or not at all, until it is repeated. */
  async prove(service: ServiceProcess): Promise<void> {
    const stored = await this.#stored(service);
    for (const [number, outcome] of this.#outcomes) {
      const size = sizeOf(number);
      const allowed = { added: [size], refused: [0], unknown: [0, size], unanswered: [0, size] };
      expect(stored.get(number) ?? 0, `${outcome} ${number}`).to.be.oneOf(allowed[outcome]);
    }
    for (const [number, outcome] of this.#outcomes) {
      if (outcome === 'added') continue;
      const { headers } = await eventually(`${number} is taken`, async () => {
        const answer = await this.#post(service, number);
        return answer.status === 200 && answer;
      });
      const isReplayed = headers.get('idempotent-replayed') === 'true';
      expect(isReplayed, `${outcome} ${number} again`).to.equal(stored.has(number));
    }
    const all = await this.#stored(service);
    for (const number of this.#outcomes.keys()) {
      expect(all.get(number), String(number)).to.equal(sizeOf(number));
    }
  }

  async #post(service: ServiceProcess, number: number): Promise<Response> {
    const jobs = Array.from({ length: sizeOf(number) }, (_, data) => ({ name: `${number}`, data }));
    const answer = await fetch(`${service.url}/queues/${this.#queue}/jobs`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${ServiceProcess.token}`,
        'idempotency-key': `add-${number}`,
      },
      body: JSON.stringify(jobs),
    });
    await answer.arrayBuffer();
    return answer;
  }

  /** How many jobs are stored of each add. */
  async #stored(service: ServiceProcess): Promise<ReadonlyMap<number, number>> {
    const stored = new Map<number, number>();
    for (let start = 0, isEnd = false; !isEnd; start += PAGE) {
      const path = `/queues/${this.#queue}/jobs?start=${start}&length=${PAGE}`;
      const { status, body } = await service.call('GET', path);
      expect(status).to.equal(200);
      const { jobs } = body as { readonly jobs: readonly Job[] };
      for (const { name } of jobs) stored.set(Number(name), (stored.get(Number(name)) ?? 0) + 1);
      isEnd = jobs.length < PAGE;
    }
    return stored;
  }
}

function sizeOf(number: number): number {
  return number % 50 === 0 ? LARGE : SMALL;
}
