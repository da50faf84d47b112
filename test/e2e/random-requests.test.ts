import { expect } from 'chai';
import fc from 'fast-check';
import { anyCharacter } from '../support/any-character.ts';
import { EVERY_STORE } from '../support/every-store.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { ValuesOfSchema, type Schema } from '../support/values-of-schema.ts';
import { rounds } from '../support/lane.ts';

/** Requests to each store. */
const RUNS = Number(process.env['RUNS'] ?? rounds(800, 150));

/** As many operations, of more than a hundred, succeed at least once in so many requests. */
const SUCCEEDED = rounds(30, 15);

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema: Schema;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: Schema }>> };
  readonly responses: Readonly<Record<string, { readonly content?: object }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface RandomRequest {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
  /** Whether it is a report about the job that was claimed last. */
  readonly isReport: boolean;
}

/** Streams do not end, and a wait for a result takes as long as it was told to. */
function isBounded({ operationId, responses }: Operation): boolean {
  const content = Object.keys(responses['200']?.content ?? {});
  return operationId !== 'waitForResult' && !content.includes('text/event-stream');
}

const segment = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('mail', 'ship', '1', '2', 'acme') },
  { weight: 1, arbitrary: fc.constantFrom('%00', '..', '%zz', 'a%3Ab', '__proto__') },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: anyCharacter, minLength: 1, maxLength: 5 })
      .map((text) => encodeURIComponent(text.toWellFormed())),
  },
);

/** Queues have names of their own, so that most requests find jobs. */
const queue = fc.oneof({ weight: 8, arbitrary: fc.constantFrom('mail', 'ship') }, segment);

function requestsOf(document: Document): fc.Arbitrary<RandomRequest> {
  const values = new ValuesOfSchema(document.components.schemas);
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => isBounded(operation))
      .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  return fc.oneof(
    ...operations.map(({ path, method, operation }) => {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
      const schema = Object.values(operation.requestBody?.content ?? {})[0]?.schema;
      return fc
        .record({
          segments: fc.tuple(...names.map((name) => (name === 'queue' ? queue : segment))),
          query: queryOf(operation, values),
          body: schema === undefined ? fc.constant(undefined) : values.of(schema),
        })
        .map(({ segments, query, body }) => ({
          operationId: operation.operationId,
          method,
          path:
            names.reduce((filled, name, index) => {
              return filled.replace(`{${name}}`, () => segments[index] ?? '');
            }, path) + query,
          body: body === undefined ? undefined : JSON.stringify(body),
          isReport: operation.security.some((scheme) => 'jobToken' in scheme),
        }));
    }),
  );
}

function queryOf({ parameters = [] }: Operation, values: ValuesOfSchema): fc.Arbitrary<string> {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const fields = inQuery.map(({ name, schema }) => [name, values.of(schema)] as const);
  return fc.record(Object.fromEntries(fields), { requiredKeys: [] }).map((query) => {
    const pairs = Object.entries(query).map(([name, value]): [string, string] => [
      name,
      textOf(value),
    ]);
    return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
  });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Sends requests, and reports about the job that it claimed last with its token. */
class RandomClient {
  readonly #service: () => ServiceProcess;
  #claimed = { path: '', token: '' };

  constructor(service: () => ServiceProcess) {
    this.#service = service;
  }

  async send({ operationId, method, path, body, isReport }: RandomRequest) {
    const url = isReport ? path.replace(/^.*\/jobs\/[^/]*/, () => this.#claimed.path) : path;
    const token = isReport ? this.#claimed.token : ServiceProcess.token;
    const answer = await fetch(this.#service().url + url, {
      method,
      headers: { authorization: `Bearer ${token}`, accept: 'application/problem+json' },
      ...(body !== undefined && { body }),
    });
    const text = await answer.text();
    if (operationId === 'claimJobs' && answer.status === 200) this.#keep(path, text);
    return { status: answer.status, text };
  }

  #keep(path: string, claims: string): void {
    const [claim] = JSON.parse(claims) as { job: { id: string }; token: string }[];
    if (claim === undefined) return;
    const { job, token } = claim;
    this.#claimed = { path: path.replace('/claim', `/${encodeURIComponent(job.id)}`), token };
  }
}

for (const [store, environment] of Object.entries(EVERY_STORE)) {
  describe(`random requests that follow the document, with STORE=${store}`, () => {
    let settings: Readonly<Record<string, string>>;
    let service: ServiceProcess;

    before(async () => {
      // Nothing is called, and nothing outside of this machine is asked for.
      settings = { ...(await environment()), OUTBOUND_DENY: '0.0.0.0/0,::/0,*' };
      service = await ServiceProcess.start(settings);
    });
    after(() => service.stop());

    const queues = async (): Promise<unknown> => {
      const { status, body } = await service.call('GET', '/queues?length=1000');
      expect(status).to.equal(200);
      return (body as { total: number }).total;
    };

    // holds: answers.no-5xx
    it('are never answered with a 5xx, and the store still opens after a kill', async () => {
      const { body } = await service.call('GET', '/openapi.json');
      const client = new RandomClient(() => service);
      const seen = new Map<number, number>();
      const succeeded = new Set<string>();
      await fc.assert(
        fc.asyncProperty(requestsOf(body as Document), async (request) => {
          const { status, text } = await client.send(request);
          seen.set(status, (seen.get(status) ?? 0) + 1);
          if (status < 300) succeeded.add(request.operationId);
          expect(status, text).to.be.within(200, 499);
        }),
        { numRuns: RUNS, endOnFailure: true },
      );
      // Otherwise the requests would be too random to change anything.
      expect(succeeded.size, [...seen].join(' ')).to.be.above(SUCCEEDED);
      expect(service.logs.filter(({ level }) => level === 'error')).to.deep.equal([]);
      const before = await queues();
      if (store === 'memory') return;
      await service.kill();
      service = await ServiceProcess.start(settings);
      expect(await queues()).to.equal(before);
      expect(service.logs.filter(({ level }) => level === 'error')).to.deep.equal([]);
    }).timeout(120_000);
  });
}
