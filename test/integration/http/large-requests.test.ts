import { expect } from 'chai';
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

  /** Uploads that take all the memory there is and never end. */
  async function stuck(path: string, token: string, size = MAX_BODY_SIZE): Promise<void> {
    const busy = (): Promise<boolean> => {
      const body = 'x'.repeat(20_000);
      return service.request('POST', path, { token, body }).then(({ status }) => status === 503);
    };
    for (let taken = 0; taken <= 8 * MAX_BODY_SIZE; taken += size) {
      const upload = connect().send(head(path, token, `Content-Length: ${size}`));
      upload.send('x'.repeat(size - 1));
    }
    await eventually('the memory is used up', busy);
  }

  it('are put off while many others are under way; small ones are served', async () => {
    await stuck('/queues/mail/jobs', TOKEN);
    const { status, text, headers } = await add(100_000);
    expect([status, text, headers.get('retry-after')]).to.deep.equal([503, BUSY, '1']);
    expect((await add(16_000)).status).to.equal(200);
    expect((await service.request('GET', '/queues/mail/jobs')).status).to.equal(200);
  });

  it('are put off before they are sent when the client waits for 100 Continue', async () => {
    await stuck('/queues/mail/jobs', TOKEN);
    const expectant = head('/queues/mail/jobs', TOKEN, 'Expect: 100-continue');
    const announced = expectant.replace(/\r\n$/, 'Content-Length: 100000\r\n\r\n');
    expect(statusOf(await connect().send(announced).until(BUSY))).to.equal(503);
  });

  it('are put off as soon as there is no room for what comes in chunks', async () => {
    await stuck('/queues/mail/jobs', TOKEN);
    const chunked = connect().send(head('/queues/mail/jobs', TOKEN, 'Transfer-Encoding: chunked'));
    chunked.send(`ffff\r\n${'x'.repeat(0xffff)}\r\n`);
    expect(statusOf(await chunked.until(BUSY))).to.equal(503);
  });

  it('are served again when the others have gone', async () => {
    await stuck('/queues/mail/jobs', TOKEN);
    for (const connection of connections.splice(0)) connection.close();
    await eventually('large requests are served', async () => (await add(900_000)).status === 200);
    // Nothing may be left of them: eight at once fit again.
    const answers = await Promise.all(Array.from({ length: 8 }, () => add(400_000)));
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(8).fill(200));
  });

  it('of clients without an API token put off none of those who have one', async () => {
    await stuck('/queues/mail/jobs/1/progress', 'made-up', 390_000);
    expect((await add(900_000)).status).to.equal(200);
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
