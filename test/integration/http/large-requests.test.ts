import { expect } from 'chai';
import { HTTP_TIMEOUTS } from '../../../src/adapters/inbound/http/server/http-timeouts.ts';
import { eventually } from '../../support/eventually.ts';
import { HttpService, TOKEN } from './support/http-service.ts';
import { RawConnection, statusOf } from './support/raw-connection.ts';

const MAX_BODY_SIZE = 1_000_000;

const BUSY = 'Too many large requests at once, try again later';

const jobs = (bytes: number) => [{ name: 'a', data: 'x'.repeat(bytes) }];

describe('Large requests', () => {
  let service: HttpService;
  let connections: RawConnection[];

  beforeEach(async () => {
    connections = [];
    service = await new HttpService({ maxBodySize: MAX_BODY_SIZE }).start();
  });
  afterEach(async () => {
    for (const connection of connections) connection.close();
    await service.stop();
  });

  const add = (bytes: number) =>
    service.request('POST', '/queues/mail/jobs', { body: jobs(bytes) });

  function connect(): RawConnection {
    const connection = new RawConnection(service.server.port);
    connections.push(connection);
    return connection;
  }

  const head = (path: string, token: string, ...headers: readonly string[]): string =>
    [
      `POST ${path} HTTP/1.1`,
      'Host: localhost',
      `Authorization: Bearer ${token}`,
      ...headers,
      '\r\n',
    ].join('\r\n');

  /** Begins uploads that take all the memory that their sender may use, and never end. */
  async function stuck(path: string, token: string): Promise<void> {
    const upload = (sent: number, announced: number): void => {
      const length = `Content-Length: ${announced}`;
      connect().send(`${head(path, token, length)}${'x'.repeat(sent)}`);
    };
    for (let count = 0; count < 8; count += 1) upload(MAX_BODY_SIZE - 1, MAX_BODY_SIZE);
    await eventually('the memory is used up', async () => {
      // The last bit of room is for a request that is barely large.
      upload(20_000, 30_000);
      const { status } = await service.request('POST', path, { token, body: 'x'.repeat(20_000) });
      return status === 503;
    });
  }

  it('get 503 while many others are in progress; small ones are served', async () => {
    await stuck('/queues/mail/jobs', TOKEN);
    const { status, text, headers } = await add(100_000);
    expect([status, text, headers.get('retry-after')]).to.deep.equal([503, BUSY, '1']);
    expect((await add(16_000)).status).to.equal(200);
    expect((await service.request('GET', '/queues/mail/jobs')).status).to.equal(200);
  });

  it('get 503 before they are sent when the client waits for 100 Continue', async () => {
    await stuck('/queues/mail/jobs', TOKEN);
    const expectant = head('/queues/mail/jobs', TOKEN, 'Expect: 100-continue');
    const announced = expectant.replace(/\r\n$/, 'Content-Length: 100000\r\n\r\n');
    expect(statusOf(await connect().send(announced).until(BUSY))).to.equal(503);
  });

  it('get 503 as soon as there is no room for a chunked body', async () => {
    await stuck('/queues/mail/jobs', TOKEN);
    const chunked = connect().send(head('/queues/mail/jobs', TOKEN, 'Transfer-Encoding: chunked'));
    chunked.send(`ffff\r\n${'x'.repeat(0xffff)}\r\n`);
    expect(statusOf(await chunked.until(BUSY))).to.equal(503);
  });

  it('are served again once the others are done', async () => {
    await stuck('/queues/mail/jobs', TOKEN);
    for (const connection of connections.splice(0)) connection.close();
    await eventually('large requests are served', async () => (await add(900_000)).status === 200);
    // All room must be free again: eight at once fit.
    const answers = await Promise.all(Array.from({ length: 8 }, () => add(400_000)));
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(8).fill(200));
  });

  /** Adds a job to the queue that a client then claims. */
  async function taken(queue: string): Promise<{ path: string; token: string }> {
    const path = `/queues/${queue}/jobs`;
    await service.request('POST', path, { body: [{ name: 'work', data: null }] });
    const { text } = await service.request('POST', `${path}/claim`);
    const [{ job, token }] = JSON.parse(text) as [{ job: { id: string }; token: string }];
    return { path: `${path}/${job.id}`, token };
  }

  const complete = ({ path, token }: { path: string; token: string }, bytes: number) =>
    service.request('POST', `${path}/complete`, { token, body: JSON.stringify('x'.repeat(bytes)) });

  /** Announces large bodies on many connections, and sends one byte of each. */
  async function announce(path: string, token: string): Promise<void> {
    const headers = [`Content-Length: ${MAX_BODY_SIZE}`, 'Expect: 100-continue'];
    const begun = Array.from({ length: 84 }, () => connect().send(head(path, token, ...headers)));
    // It is answered as soon as the service has seen it.
    await Promise.all(begun.map((connection) => connection.until('HTTP/1.1')));
    for (const connection of begun) connection.send('"');
  }

  // holds: security.announced-bodies
  it('that are only announced cause no 503 for reports of workers or for adds', async () => {
    const job = await taken('work');
    await announce('/queues/mail/jobs', TOKEN);
    await announce(`${job.path}/complete`, job.token);
    await announce('/queues/work/jobs/1/complete', 'made-up');
    expect((await add(900_000)).status).to.equal(200);
    expect((await complete(job, 900_000)).status).to.equal(200);
  });

  // holds: security.token-before-body
  it('with a token that holds no job are refused before they are received', async () => {
    const job = await taken('work');
    const length = 'Content-Length: 900000';
    const another = job.token.replace(/^./, (first) => (first === '-' ? '_' : '-'));
    for (const token of ['made-up', TOKEN, another]) {
      for (const verb of ['complete', 'fail']) {
        const answer = await connect()
          .send(head(`${job.path}/${verb}`, token, length))
          .until('running attempt of this job');
        expect(statusOf(answer)).to.equal(401);
      }
      const chunks = head(`${job.path}/complete`, token, 'Transfer-Encoding: chunked');
      const chunked = connect().send(`${chunks}8000\r\n${'x'.repeat(0x8000)}\r\n`);
      expect(statusOf(await chunked.until('running attempt of this job'))).to.equal(401);
    }
    expect((await complete(job, 900_000)).status).to.equal(200);
    expect((await complete(job, 900_000)).status, 'the same again').to.equal(200);
  });

  // holds: security.budget-of-one
  it('of the workers of one queue cause no 503 for another queue or for adds', async () => {
    const job = await taken('work');
    const other = await taken('other');
    await stuck(`${job.path}/complete`, job.token);
    expect((await complete(other, 900_000)).status).to.equal(200);
    expect((await add(900_000)).status).to.equal(200);
  });

  // holds: security.budget-of-one
  it('with one API token cause no 503 for those with another one', async () => {
    await service.stop();
    const tokens = [TOKEN, 'other-token'];
    service = await new HttpService({ maxBodySize: MAX_BODY_SIZE, tokens }).start();
    await stuck('/queues/mail/jobs', TOKEN);
    const body = jobs(900_000);
    const answer = await service.request('POST', '/queues/mail/jobs', { token: tokens[1]!, body });
    expect(answer.status).to.equal(200);
  });

  // holds: security.idle-body
  it('are 408 if no byte arrives for a while; slow ones are accepted', async () => {
    await service.stop();
    const timeouts = { ...HTTP_TIMEOUTS, body: 200 };
    service = await new HttpService({ maxBodySize: MAX_BODY_SIZE, timeouts }).start();
    for (const length of [2, 100_000]) {
      const answer = await connect()
        .send(head('/queues/mail/jobs', TOKEN, `Content-Length: ${length}`))
        .untilClosed();
      expect(statusOf(answer)).to.equal(408);
      expect(answer).to.match(/connection: close/i);
      expect(answer).to.match(/No byte of the body came for 0.2 s$/);
    }
    const body = JSON.stringify(jobs(5));
    const slow = connect().send(
      head('/queues/mail/jobs', TOKEN, `Content-Length: ${body.length}`, 'Connection: close'),
    );
    const started = performance.now();
    for (const byte of body) {
      slow.send(byte);
      // A slow client: its whole body takes longer than the wait for one byte may.
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(performance.now() - started).to.be.above(250);
    expect(statusOf(await slow.untilClosed())).to.equal(200);
  });

  it('that add jobs are answered even when there is no more room', async () => {
    const uploads = Array.from({ length: 30 }, () => add(700_000));
    const statuses = (await Promise.all(uploads)).map(({ status }) => status);
    const added = statuses.filter((status) => status === 200).length;
    const { text } = await service.request('GET', '/queues/mail/jobs?length=0');
    expect(statuses.every((status) => status === 200 || status === 503)).to.equal(true);
    expect((JSON.parse(text) as { counts: { waiting: number } }).counts.waiting).to.equal(added);
  });
});
