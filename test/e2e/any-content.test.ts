import { expect } from 'chai';
import fc from 'fast-check';
import { anyBody, anyJsonText, anyString } from '../support/any-content.ts';
import { TemporaryFolder } from '../support/embedded/temporary-folder.ts';
import { EndpointServer } from '../support/endpoint-server.ts';
import { eventually } from '../support/eventually.ts';
import { testDatabase } from '../support/postgres/test-database.ts';
import { freshSchema } from '../support/postgres/test-postgres.ts';
import { testStore } from '../support/redis/test-store.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { StartedServices } from '../support/started-services.ts';
import { rounds } from '../support/lane.ts';

const SEED = 59;
const JOBS = rounds(40, 15);

/** How many characters of Unicode each job has, as its name and as its data. */
const PIECE = 50_000;

/** All characters of Unicode, halves of surrogate pairs apart. */
const PIECES = Array.from({ length: Math.ceil(0x110000 / PIECE) }, (_, piece) => {
  const points = Array.from({ length: PIECE }, (__, index) => piece * PIECE + index);
  const scalars = points.filter((point) => point < 0xd800 || (point > 0xdfff && point < 0x110000));
  return scalars.map((point) => String.fromCodePoint(point)).join('');
});

const UNICODE = '/queues/unicode/jobs';

interface Content {
  readonly name: string;
  readonly group: string;
  readonly data: string;
  readonly progress: string;
  readonly line: Buffer;
  readonly end: 'none' | 'complete' | 'fail' | 'call';
  readonly result: string;
  readonly reason: string;
  readonly answer: Buffer;
  readonly status: number;
  readonly type: string | undefined;
}

const content: fc.Arbitrary<Content> = fc.record({
  name: anyString,
  group: anyString,
  data: anyJsonText,
  progress: anyJsonText,
  line: anyBody,
  end: fc.constantFrom('none', 'complete', 'fail', 'call'),
  result: anyJsonText,
  reason: anyString,
  answer: anyBody,
  status: fc.constantFrom(200, 500),
  type: fc.constantFrom('application/json', 'text/plain', undefined),
});

interface Store {
  readonly environment: Readonly<Record<string, string>>;
  /** Waits until what was answered is where a later start reads it from; absent when all is at once. */
  readonly settled?: () => Promise<void>;
  readonly isKept: boolean;
}

const folder = new TemporaryFolder();

const STORES: Readonly<Record<string, () => Promise<Store>>> = {
  memory: () => Promise.resolve({ environment: { STORE: 'memory' }, isKept: false }),
  embedded: () => Promise.resolve({ environment: { STORE_PATH: folder.path }, isKept: true }),
  Redis: async () => {
    const prefix = `content-${process.pid}`;
    const { uri } = await testStore();
    const own = { QUEUE_PREFIX: prefix, WORKER_METADATA_KEY: `${prefix}:workers` };
    return { environment: { STORE_URI: uri, ...own }, isKept: true };
  },
  PostgreSQL: async () => {
    const { uri, schema } = await freshSchema();
    const settled = async (): Promise<void> => {
      const database = testDatabase(uri);
      try {
        await eventually('the log is folded', async () => {
          const rows = await database.query(
            `SELECT FROM ${schema}.folded WHERE round = (SELECT max(round) FROM ${schema}.log)`,
          );
          return rows.length > 0;
        });
      } finally {
        await database.close();
      }
    };
    return { environment: { STORE_URI: uri, STORE_SCHEMA: schema }, settled, isKept: true };
  },
};

describe('any content', function () {
  this.timeout(120_000);

  const services = new StartedServices();
  const contents = fc.sample(content, { seed: SEED, numRuns: JOBS });
  let endpoint: EndpointServer;
  let service: ServiceProcess;

  before(async () => {
    endpoint = await EndpointServer.start(({ path }, response) => {
      const { answer, status, type } = contents[Number(path.split('/').at(-1))] as Content;
      response.writeHead(status, type === undefined ? {} : { 'content-type': type }).end(answer);
    });
  });

  after(async () => {
    await endpoint.close();
    folder.remove();
  });

  afterEach(() => services.kill());

  /** @throws AssertionError for an answer that says that the service failed. */
  async function ask(
    method: string,
    path: string,
    body?: string | Buffer,
    token: string = ServiceProcess.token,
  ): Promise<{ readonly status: number; readonly text: string }> {
    const answer = await fetch(service.url + path, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body !== undefined && { body }),
    });
    const text = await answer.text();
    expect(answer.status, `${method} ${path}: ${text.slice(0, 200)}`).to.be.below(500);
    return { status: answer.status, text };
  }

  /** Adds the job, or a plain one when it is refused. @returns its place. */
  async function add(queue: string, { name, group, data }: Content): Promise<string> {
    const path = `/queues/${queue}/jobs`;
    for (const job of [
      `{"name":${name},"data":${data},"opts":{"group":{"id":${group}}}}`,
      `{"name":${name},"data":0}`,
      `{"name":"work","data":${data}}`,
      '{"name":"work","data":0}',
    ]) {
      const { status, text } = await ask('POST', path, `[${job}]`);
      if (status !== 200) continue;
      const [{ id }] = JSON.parse(text) as [{ readonly id: string }];
      const { text: read } = await ask('GET', `${path}/${id}`);
      const sent = JSON.parse(job) as { readonly name: string; readonly data: unknown };
      const stored = JSON.parse(read) as { readonly name: string; readonly data: unknown };
      expect(stored.name).to.equal(sent.name);
      expect(JSON.stringify(stored.data)).to.equal(JSON.stringify(sent.data));
      return `${path}/${id}`;
    }
    throw new Error('Even a plain job was refused');
  }

  async function end(job: string, { end: how, progress, line, result, reason }: Content) {
    const { text } = await ask('POST', `${job.slice(0, job.lastIndexOf('/'))}/claim`);
    const [{ token }] = JSON.parse(text) as [{ readonly token: string }];
    await ask('POST', `${job}/progress`, progress, token);
    await ask('POST', `${job}/logs`, line, token);
    const body = how === 'complete' ? result : `{"reason":${reason}}`;
    const { status } = await ask('POST', `${job}/${how}`, body, token);
    if (status !== 200) await ask('POST', `${job}/complete`, 'null', token);
  }

  /** Has a job added, called and ended in a queue of its own. @returns its place. */
  async function play(each: Content, index: number): Promise<string> {
    const queue = `content-${index}`;
    const job = await add(queue, each);
    await ask('PUT', `/queues/${queue}/policy`, `{"labels":{${each.name}:${each.reason}}}`);
    if (each.end === 'call') {
      const url = JSON.stringify(`${endpoint.url}/${index}`);
      const worker = `{"queue":"${queue}","endpoint":{"url":${url},"method":"post"}}`;
      expect(await ask('POST', '/workers', worker)).to.include({ status: 200 });
      await eventually('the call ends', async () => {
        const { state } = JSON.parse((await ask('GET', job)).text) as { readonly state: string };
        return state === 'completed' || state === 'failed';
      });
      await ask('POST', `/workers/${queue}/disable`, `{"reason":${each.reason}}`);
    } else if (each.end !== 'none') await end(job, each);
    return job;
  }

  /** Adds a job with all characters of a piece. @returns its place. */
  async function addPiece(piece: string): Promise<string> {
    const [name, data] = [piece.replace('\0', ''), piece].map((text) => JSON.stringify(text));
    const answer = await ask('POST', UNICODE, `[{"name":${name},"data":${data}}]`);
    expect(answer).to.include({ status: 200 });
    const [{ id }] = JSON.parse(answer.text) as [{ readonly id: string }];
    return `${UNICODE}/${id}`;
  }

  /** What is stored, by its path. */
  async function stored(jobs: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const paths = [
      ...jobs.flatMap((job) => [job, `${job}/logs`, `${job}/attempts`]),
      ...contents.map((_, index) => `/queues/content-${index}/policy`),
      '/workers',
    ];
    const texts = new Map<string, string>();
    for (const path of paths) texts.set(path, (await ask('GET', path)).text);
    return texts;
  }

  /** The lines of its log that say that something went wrong in the service. */
  const errors = (): readonly unknown[] => service.logs.filter(({ level }) => level === 'error');

  for (const [store, prepare] of Object.entries(STORES)) {
    // holds: text.any-data
    it(`is kept through kills as it was answered, or refused: ${store}`, async () => {
      const { environment, settled, isKept } = await prepare();
      service = await services.start(environment);
      const jobs = await Promise.all([...contents.map(play), ...PIECES.map(addPiece)]);
      const before = await stored(jobs);
      expect(errors()).to.deep.equal([]);
      for (let restart = 0; isKept && restart < (settled === undefined ? 1 : 2); restart += 1) {
        await service.kill();
        service = await services.start(environment);
        const now = await stored(jobs);
        const changed = [...before.keys()].filter((path) => now.get(path) !== before.get(path));
        expect(changed).to.deep.equal([]);
        // Read from the log first, and from the records then.
        await settled?.();
        expect(errors()).to.deep.equal([]);
      }
    });
  }
});
