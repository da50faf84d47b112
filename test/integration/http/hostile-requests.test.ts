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
      'the same length twice',
      `POST / HTTP/1.1\r\n${AUTHORIZED}Content-Length: 2\r\nContent-Length: 2\r\n\r\n[]`,
    ],
    ['a list of lengths', `POST / HTTP/1.1\r\n${AUTHORIZED}Content-Length: 2, 2\r\n\r\n[]`],
    ['a signed length', `POST / HTTP/1.1\r\n${AUTHORIZED}Content-Length: +2\r\n\r\n[]`],
    ['a hexadecimal length', `POST / HTTP/1.1\r\n${AUTHORIZED}Content-Length: 0x2\r\n\r\n[]`],
    [
      'an endless length',
      `POST / HTTP/1.1\r\n${AUTHORIZED}Content-Length: ${'9'.repeat(30)}\r\n\r\n`,
    ],
    ['a folded header', `GET / HTTP/1.1\r\n${AUTHORIZED}X: a\r\n b\r\n\r\n`],
    [
      'folded chunks',
      `POST / HTTP/1.1\r\n${AUTHORIZED}Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'chunks before a colon',
      `POST / HTTP/1.1\r\n${AUTHORIZED}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'no known coding',
      `POST /workers HTTP/1.1\r\n${AUTHORIZED}Transfer-Encoding: xchunked\r\n\r\n`,
    ],
    [
      'a coding after the chunks',
      `POST / HTTP/1.1\r\n${AUTHORIZED}Transfer-Encoding: chunked, identity\r\n\r\n`,
    ],
    ['lines without a carriage return', `GET /workers HTTP/1.1\nHost: localhost\n\n`],
    ['a carriage return within a line', `GET / HTTP/1.1\r\nX: a\rY: b\r\n${AUTHORIZED}\r\n`],
    ['a null character', `GET / HTTP/1.1\r\n${AUTHORIZED}X: a\0b\r\n\r\n`],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    [
      'the size of a chunk that overflows',
      `POST /workers HTTP/1.1\r\n${AUTHORIZED}Transfer-Encoding: chunked\r\n\r\n${'F'.repeat(17)}\r\n`,
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

  for (const [name, status, why, bytes] of [
    [
      'chunks in HTTP/1.0',
      400,
      'A request of HTTP/1.0 must not have a Transfer-Encoding',
      `POST /workers HTTP/1.0\r\n${AUTHORIZED}Transfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n\r\n`,
    ],
    [
      'chunks and a length in HTTP/1.0',
      400,
      '',
      `POST /workers HTTP/1.0\r\n${AUTHORIZED}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n[]`,
    ],
    [
      'two hosts',
      400,
      'A request must not have more than one Host header',
      `GET /workers HTTP/1.1\r\n${AUTHORIZED}HOST: other\r\n\r\n`,
    ],
    [
      'the same host twice, in HTTP/1.0',
      400,
      'A request must not have more than one Host header',
      `GET /workers HTTP/1.0\r\n${AUTHORIZED}Host: localhost\r\n\r\n`,
    ],
    [
      'two credentials',
      400,
      'A request must not have more than one Authorization header',
      `GET /workers HTTP/1.1\r\n${AUTHORIZED}authorization: Bearer other\r\n\r\n`,
    ],
    [
      'the version HTTP/2.0',
      505,
      'HTTP/2.0 is not spoken here, only HTTP/1.1 and 1.0',
      `GET /workers HTTP/2.0\r\n${AUTHORIZED}\r\n`,
    ],
    [
      'the version HTTP/0.9',
      505,
      'HTTP/0.9 is not spoken here, only HTTP/1.1 and 1.0',
      `GET /workers HTTP/0.9\r\n${AUTHORIZED}\r\n`,
    ],
  ] as const) {
    // holds: security.ambiguous-requests
    it(`gets ${status} and the reason for ${name}, and is not handled`, async () => {
      const before = `GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n`;
      const answer = await connection.send(before + bytes + before).untilClosed();
      const statuses = answer.match(/HTTP\/1\.1 \d{3}/g);
      expect(statuses).to.deep.equal(['HTTP/1.1 200', `HTTP/1.1 ${status}`]);
      expect(answer.slice(answer.indexOf(`HTTP/1.1 ${status}`)))
        .to.match(/content-type: text\/plain/i)
        .and.to.match(/connection: close/i)
        .and.to.satisfy((text: string) => text.endsWith(why));
      const handled = service.logger.lines.filter(({ message }) => message === 'Request answered');
      expect(handled).to.have.lengthOf(1);
    });
  }

  it('gets 431 for headers that are too large', async () => {
    connection.send(`GET / HTTP/1.1\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`);
    expect(statusOf(await connection.untilClosed())).to.equal(431);
  });

  it('gets 431 even if it goes on sending', async () => {
    const answer = connection.until('Request Header Fields Too Large');
    connection.send('GET / HTTP/1.1\r\n');
    for (let count = 0; count < 100; count += 1) connection.send(`X: ${'x'.repeat(100_000)}\r\n`);
    expect(statusOf(await answer)).to.equal(431);
  });

  it('gets 431 for a target that is too long, and 400 or 404 for a long one', async () => {
    const path = 'x'.repeat(16_000);
    expect(statusOf(await get(`/queues/${'x'.repeat(20_000)}/jobs`))).to.equal(431);
    for (const [target, status] of [
      [`/queues/${path}/jobs`, 400],
      [`/queues/${'%41'.repeat(5000)}/jobs`, 400],
      [`/queues/mail/jobs?${'a&'.repeat(7000)}`, 400],
      [`/queues/mail/jobs?${path}=1`, 400],
      ['/'.repeat(16_000), 404],
      [`/${path}`, 404],
    ] as const) {
      connection = new RawConnection(service.server.port);
      expect(statusOf(await get(target)), target.slice(0, 20)).to.equal(status);
    }
  });

  it('has all its headers read, even if there are many', async () => {
    const many = 'a:\r\n'.repeat(3900);
    connection.send(`GET /workers HTTP/1.1\r\n${many}${AUTHORIZED}Connection: close\r\n\r\n`);
    expect(statusOf(await connection.untilClosed())).to.equal(200);
  });

  it('gets 413 for endless extensions of a chunk, 431 for endless trailers', async () => {
    const chunked = `POST /workers HTTP/1.1\r\n${AUTHORIZED}Transfer-Encoding: chunked\r\n\r\n`;
    connection.send(`${chunked}1;${'x'.repeat(100_000)}`);
    expect(statusOf(await connection.untilClosed())).to.equal(413);
    connection = new RawConnection(service.server.port);
    connection.send(`${chunked}2\r\n[]\r\n0\r\n${'X: y\r\n'.repeat(20_000)}`);
    expect(statusOf(await connection.untilClosed())).to.equal(431);
  });

  it('gets 415 when its body has a coding besides the chunks', async () => {
    const coding = 'Transfer-Encoding: gzip, chunked\r\n';
    connection.send(`POST /workers HTTP/1.1\r\n${AUTHORIZED}${coding}\r\n2\r\n[]\r\n0\r\n\r\n`);
    expect(statusOf(await connection.until('not be compressed'))).to.equal(415);
  });

  it('may speak HTTP/1.0', async () => {
    const authorized = AUTHORIZED.replace('Host: localhost\r\n', '');
    connection.send(`GET /workers HTTP/1.0\r\n${authorized}\r\n`);
    const answer = await connection.untilClosed();
    expect(statusOf(answer)).to.equal(200);
    expect(answer).to.match(/connection: close/i);
  });

  it('may send a body in HTTP/1.0 with a Content-Length', async () => {
    const body = '[{"name":"a","data":1}]';
    const length = `Content-Length: ${body.length}\r\n`;
    connection.send(`POST /queues/mail/jobs HTTP/1.0\r\n${AUTHORIZED}${length}\r\n${body}`);
    expect(statusOf(await connection.untilClosed())).to.equal(200);
    expect(await service.claim('mail')).to.have.nested.property('job.name', 'a');
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

  // holds: service.unavailable
  it('may ask for an upgrade, which is ignored', async () => {
    const upgrade = 'Connection: Upgrade, close\r\nUpgrade: websocket\r\n';
    connection.send(`GET /workers HTTP/1.1\r\n${AUTHORIZED}${upgrade}\r\n`);
    expect(statusOf(await connection.untilClosed())).to.equal(200);
  });

  it('may be pipelined behind another', async () => {
    const one = (path: string, more = ''): string =>
      `GET ${path} HTTP/1.1\r\n${AUTHORIZED}${more}\r\n`;
    connection.send(
      one('/workers') + one('/nowhere') + one('/health/live', 'Connection: close\r\n'),
    );
    const answers = (await connection.untilClosed()).match(/HTTP\/1\.1 \d{3}/g);
    expect(answers).to.deep.equal(['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200']);
  });

  it('is answered before the garbage behind it is refused', async () => {
    const body = '[{"name":"a","data":1}]';
    const post = `POST /queues/mail/jobs HTTP/1.1\r\n${AUTHORIZED}Content-Length: ${body.length}\r\n`;
    connection.send(`${post}\r\n${body}`.repeat(2) + '\0garbage\r\n\r\n'.repeat(1000));
    const answers = (await connection.untilClosed()).match(/HTTP\/1\.1 \d{3}/g);
    expect(answers).to.deep.equal(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 400']);
  });

  it('is answered only once when its body breaks off after it was refused', async () => {
    const chunked = 'Transfer-Encoding: chunked\r\n\r\n1\r\n[\r\n';
    connection.send(`POST /workers HTTP/1.1\r\nHost: localhost\r\n${chunked}`);
    await connection.until('401 Unauthorized');
    const answers = (await connection.send('garbage').untilClosed()).match(/HTTP\/1\.1 \d{3}/g);
    expect(answers).to.deep.equal(['HTTP/1.1 401']);
  });

  it('may break off within its body', async () => {
    connection.send(`POST /workers HTTP/1.1\r\n${AUTHORIZED}Content-Length: 100\r\n\r\n{"queue"`);
    await connection.until('').then(() => connection.socket.end());
    const { level, fields } = await service.logger.line(({ message }) => /abandoned/.test(message));
    expect(level).to.equal('debug');
    expect(fields).to.include({ method: 'POST', route: '/workers' });
  });
});
