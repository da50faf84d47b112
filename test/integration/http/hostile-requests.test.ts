import { expect } from 'chai';
import { HttpService, TOKEN } from './support/http-service.ts';
import { RawConnection, statusOf } from './support/raw-connection.ts';

const AUTHORIZED = `Host: localhost\r\nAuthorization: Bearer ${TOKEN}\r\n`;

describe('Hostile requests', () => {
  let service: HttpService;
  let connection: RawConnection;

  beforeEach(async () => {
    service = await new HttpService().start();
    connection = new RawConnection(service.server.port);
  });

  afterEach(async () => {
    connection.close();
    expect((await service.request('GET', '/health/live')).status).to.equal(200);
    expect(service.logger.lines.filter(({ level }) => level === 'error')).to.deep.equal([]);
    await service.stop();
  });

  const get = (target: string): Promise<string> =>
    connection
      .send(`GET ${target} HTTP/1.1\r\n${AUTHORIZED}Connection: close\r\n\r\n`)
      .untilClosed();

  for (const [name, bytes] of [
    ['garbage', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
    ['an unknown method', 'BREW /workers HTTP/1.1\r\n\r\n'],
    ['no host', 'GET /workers HTTP/1.1\r\n\r\n'],
    ['a header without a name', `GET / HTTP/1.1\r\n${AUTHORIZED}: x\r\n\r\n`],
    [
      'two lengths',
      `POST / HTTP/1.1\r\n${AUTHORIZED}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`,
    ],
    ['a negative length', `POST / HTTP/1.1\r\n${AUTHORIZED}Content-Length: -1\r\n\r\n`],
    [
      'a length and chunks',
      `POST / HTTP/1.1\r\n${AUTHORIZED}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
    ],
    [
      'a broken chunk',
      `POST /workers HTTP/1.1\r\n${AUTHORIZED}Transfer-Encoding: chunked\r\n\r\nxyz\r\n`,
    ],
  ] as const) {
    it(`gets 400 for ${name}`, async () => {
      const answer = await connection.send(bytes).untilClosed();
      expect(statusOf(answer)).to.equal(400);
      expect(answer).to.match(/connection: close/i);
    });
  }

  it('gets 431 for headers that are too large', async () => {
    connection.send(`GET / HTTP/1.1\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`);
    expect(statusOf(await connection.untilClosed())).to.equal(431);
  });

  for (const target of [
    '/queues/%zz/jobs',
    '/queues/%/jobs',
    '/queues/%C3%28/jobs',
    '/queues/%E2/%82%AC',
    '/%ff',
    '/queues/mail/jobs#fragment',
    '/queues/\xa0/jobs',
    '/queues/\xe4\xe4\xe4/jobs',
    '*',
    'ftp://host/workers',
    'http://[/workers',
    'workers',
  ]) {
    it(`gets 400 for the target ${target}`, async () => {
      const answer = await get(target);
      expect(statusOf(answer)).to.equal(400);
    });
  }

  it('is served when it names the whole URL', async () => {
    expect(statusOf(await get('http://localhost/workers'))).to.equal(200);
  });

  for (const target of [
    '//workers',
    '/./workers',
    '/../workers',
    '/workers/../health/live',
    '/;',
  ]) {
    it(`gets 404 for the target ${target}`, async () => {
      expect(statusOf(await get(target))).to.equal(404);
    });
  }

  it('may try to upgrade, in vain', async () => {
    const upgrade = 'Connection: Upgrade, close\r\nUpgrade: websocket\r\n';
    connection.send(`GET /workers HTTP/1.1\r\n${AUTHORIZED}${upgrade}\r\n`);
    expect(statusOf(await connection.untilClosed())).to.equal(200);
  });

  it('may hide a request behind another', async () => {
    const one = (path: string, more = ''): string =>
      `GET ${path} HTTP/1.1\r\n${AUTHORIZED}${more}\r\n`;
    connection.send(
      one('/workers') + one('/nowhere') + one('/health/live', 'Connection: close\r\n'),
    );
    const answers = (await connection.untilClosed()).match(/HTTP\/1\.1 \d{3}/g);
    expect(answers).to.deep.equal(['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200']);
  });

  it('may end within its body', async () => {
    connection.send(`POST /workers HTTP/1.1\r\n${AUTHORIZED}Content-Length: 100\r\n\r\n{"queue"`);
    await connection.until('').then(() => connection.socket.end());
    const { level, fields } = await service.logger.line(({ message }) => /abandoned/.test(message));
    expect(level).to.equal('debug');
    expect(fields).to.include({ method: 'POST', route: '/workers' });
  });
});
