import { expect } from 'chai';
import { noPolicies } from '../../support/no-policies.ts';
import type { Application } from '../../../src/application/application.ts';
import { Jobs } from '../../../src/application/jobs/jobs.ts';
import { storeUnavailable } from '../../../src/domain/errors.ts';
import { HTTP_TIMEOUTS } from '../../../src/adapters/inbound/http/server/http-timeouts.ts';
import { eventually } from '../../support/eventually.ts';
import { Mailbox } from '../../support/mailbox.ts';
import { HttpService, TOKEN } from './support/http-service.ts';
import { RawConnection, statusOf } from './support/raw-connection.ts';

const PATH = '/queues/mail/jobs';
const COUNTS = { active: 0, waiting: 9, prioritized: 0, delayed: 0, completed: 0, failed: 0 };
const MEGABYTE = 1_000_000;

/** The jobs of the queue, as pieces that record when they are read and when the reader stops. */
class Source {
  read = 0;
  readonly ended: Promise<void>;
  #end!: () => void;

  /** @param end is called after the pieces, which end with its failure. */
  constructor(
    readonly pieces: number,
    readonly end = (): Promise<void> => Promise.resolve(),
  ) {
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  async *jobs(): AsyncGenerator<readonly unknown[]> {
    try {
      while (this.read < this.pieces) {
        this.read += 1;
        const job = { queue: 'mail', id: String(this.read), data: 'x'.repeat(MEGABYTE) };
        yield await Promise.resolve([job]);
      }
      await this.end();
    } finally {
      this.#end();
    }
  }
}

/** The use cases of jobs; the test calls only those that read. */
function jobsOf(queues: object): Jobs {
  return new Jobs({ queues: queues as never, policies: noPolicies } as never);
}

function withJobsOf(source: Source): Partial<Application> {
  const slice = { counts: COUNTS, holdsJobs: true, jobs: source.jobs() };
  const queues = { list: () => Promise.resolve(slice) };
  return { jobs: jobsOf(queues) };
}

const head = (method = 'GET', version = '1.1'): string =>
  `${method} ${PATH} HTTP/${version}\r\nHost: a\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`;

describe('Large answers', () => {
  let service: HttpService;
  const connections: RawConnection[] = [];

  async function start(
    ...options: ConstructorParameters<typeof HttpService>
  ): Promise<HttpService> {
    return (service = await new HttpService(...options).start());
  }

  function connect(): RawConnection {
    const connection = new RawConnection(service.server.port);
    connections.push(connection);
    return connection;
  }

  afterEach(async () => {
    for (const connection of connections.splice(0)) connection.close();
    await service.stop();
  });

  // holds: bounds.pieces
  it('are sent in chunks, small ones whole and with their length', async () => {
    await start();
    const jobs = Array.from({ length: 8 }, (_, index) => ({ name: 'a', data: `${index} x` }));
    await service.request('POST', PATH, { body: jobs });
    const small = await service.request('GET', PATH);
    expect(small.headers.get('content-length')).to.equal(String(Buffer.byteLength(small.text)));
    const long = jobs.map((job) => ({ ...job, data: 'é'.repeat(100_000) }));
    await service.request('POST', PATH, { body: long });
    const large = await service.request('GET', `${PATH}?length=9`);
    expect(large.headers.get('transfer-encoding')).to.equal('chunked');
    expect(large.headers.get('content-type')).to.equal('application/json; charset=utf-8');
    const page = JSON.parse(large.text) as Record<string, unknown> & { jobs: { data: string }[] };
    expect(Object.keys(page)).to.deep.equal(['counts', 'jobs', 'start', 'length']);
    expect(page).to.deep.include({ counts: { ...COUNTS, waiting: 16 }, start: 0, length: 9 });
    const data = page.jobs.map((job) => job.data);
    expect(data).to.deep.equal([...long.map((job) => job.data), '7 x']);
  });

  it('have no body for HEAD, and the connection continues', async () => {
    const source = new Source(5);
    await start({ replace: withJobsOf(source) });
    const connection = connect().send(head('HEAD'));
    const answer = await connection.until('\r\n\r\n');
    expect(statusOf(answer)).to.equal(200);
    expect(answer).not.to.include('x');
    await connection.send('GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n').until('{"status":"up"}');
    expect(source.read).to.equal(1);
  });

  it('are sent to a client of HTTP/1.0 until the connection ends', async () => {
    await start({ replace: withJobsOf(new Source(3)) });
    const answer = await connect().send(head('GET', '1.0')).untilClosed();
    const [, body = ''] = answer.split('\r\n\r\n');
    expect((JSON.parse(body) as { jobs: unknown[] }).jobs).to.have.lengthOf(3);
  });

  for (const version of ['1.1', '1.0']) {
    it(`are cut off if they cannot be completed, and a client of HTTP/${version} notices`, async () => {
      const received = new Mailbox<undefined>();
      const fail = async (): Promise<void> => {
        await received.take();
        throw storeUnavailable('gone');
      };
      await start({ replace: withJobsOf(new Source(2, fail)) });
      const connection = connect().send(head('GET', version));
      const errors: unknown[] = [];
      connection.socket.on('error', (error) => errors.push(error));
      await connection.until(`"id":"2","data":"${'x'.repeat(MEGABYTE)}"`);
      received.put(undefined);
      expect(await connection.untilClosed()).not.to.include('\r\n0\r\n\r\n');
      expect(errors[0]).to.include({ code: 'ECONNRESET' });
      const message = 'The connection was cut within an answer that cannot be completed';
      const fields = { method: 'GET', route: '/queues/:queue/jobs', code: 'store-unavailable' };
      const [line] = service.logger.lines.filter((each) => each.message === message);
      expect(line).to.deep.include({ level: 'warn' });
      expect(line?.fields).to.include(fields);
    });
  }

  it('are a plain error if their very beginning fails', async () => {
    await start({
      replace: withJobsOf(new Source(0, () => Promise.reject(storeUnavailable('gone')))),
    });
    const { status, headers } = await service.request('GET', PATH);
    expect([status, headers.get('retry-after')]).to.deep.equal([503, '1']);
  });

  // holds: bounds.answer-memory, security.unread-answer
  it('are produced no faster than their client reads them', async () => {
    const source = new Source(1000);
    await start({ replace: withJobsOf(source) });
    const connection = connect().send(head());
    await connection.until('"id":"2"');
    connection.socket.pause();
    let before = -1;
    while (before !== source.read) {
      before = source.read;
      for (let count = 0; count < 20; count += 1) await service.request('GET', '/health/live');
    }
    expect(source.read).to.be.below(30);
    connection.close();
    await source.ended;
  });

  // holds: security.unread-answer
  it('end with the time that an exchange may take', async () => {
    const source = new Source(1000);
    const timeouts = { ...HTTP_TIMEOUTS, exchange: 100, checkInterval: 20 };
    await start({ replace: withJobsOf(source), timeouts });
    const connection = connect().send(head());
    connection.socket.pause();
    await source.ended;
    expect(source.read).to.be.below(100);
  });

  // holds: bounds.answer-memory
  it('to clients that do not read are refused with 503 when there are too many', async () => {
    const sources: Source[] = [];
    const queues = {
      list: () => {
        const source = new Source(1000);
        sources.push(source);
        return Promise.resolve({ counts: COUNTS, holdsJobs: true, jobs: source.jobs() });
      },
    };
    const jobs = jobsOf(queues);
    await start({ replace: { jobs }, maxBodySize: MEGABYTE });
    for (let stuck = 0; stuck < 4; stuck += 1) {
      const connection = connect().send(head());
      await connection.until('"id":"1"');
      connection.socket.pause();
    }
    await eventually('there is no more room', async () => {
      const connection = connect().send(head());
      const answer = await connection.until('\r\n\r\n');
      connection.close();
      return statusOf(answer) === 503;
    });
    for (const connection of connections.splice(0)) connection.close();
    await Promise.all(sources.map(({ ended }) => ended));
    await eventually('there is room', async () => {
      const answer = await connect().send(head()).until('\r\n\r\n');
      return statusOf(answer) === 200;
    });
  });

  // holds: bounds.answer-memory
  it('are charged until they are over, no matter how much of them the system buffers', async () => {
    const sources: Source[] = [];
    const queues = {
      list: () => {
        const source = new Source(9);
        sources.push(source);
        return Promise.resolve({ counts: COUNTS, holdsJobs: true, jobs: source.jobs() });
      },
    };
    await start({
      replace: { jobs: jobsOf(queues) },
      maxBodySize: MEGABYTE,
    });
    const statuses: number[] = [];
    for (let count = 0; count < 30; count += 1) {
      const connection = connect().send(head());
      statuses.push(statusOf(await connection.until('\r\n\r\n')));
      connection.socket.pause();
    }
    // The budget covers eight bodies of a megabyte, and each answer holds a piece both as text and as bytes.
    expect(statuses.filter((status) => status === 200)).to.have.lengthOf(4);
    expect(statuses.filter((status) => status === 503)).to.have.lengthOf(26);
  });

  // holds: bounds.answer-memory
  it('are cut off at a piece that exceeds the budget', async () => {
    const grown = {
      counts: COUNTS,
      holdsJobs: true,
      jobs: (async function* () {
        for (const size of [MEGABYTE / 2, MEGABYTE, 3 * MEGABYTE]) {
          yield await Promise.resolve([{ queue: 'mail', id: '1', data: 'x'.repeat(size) }]);
        }
      })(),
    };
    const queues = { list: () => Promise.resolve(grown) };
    await start({
      replace: { jobs: jobsOf(queues) },
      maxBodySize: MEGABYTE / 4,
    });
    const connection = connect().send(head());
    const received = await connection.untilClosed();
    expect(statusOf(received)).to.equal(200);
    expect(received.length).to.be.below(3 * MEGABYTE);
    expect(received).not.to.include('\r\n0\r\n');
  });
});
