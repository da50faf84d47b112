import { queueNamed } from '../../support/queue-named.ts';
import { expect } from 'chai';
import { HTTP_TIMEOUTS } from '../../../src/adapters/inbound/http/server/http-timeouts.ts';
import { HttpService, TOKEN } from './support/http-service.ts';
import { RawConnection, statusOf } from './support/raw-connection.ts';

const AUTHORIZED = `Host: localhost\r\nAuthorization: Bearer ${TOKEN}\r\n`;
const GET = `GET /queues/mail/jobs HTTP/1.1\r\n${AUTHORIZED}\r\n`;
const POST = `POST /queues/mail/jobs HTTP/1.1\r\n${AUTHORIZED}`;

/** Milliseconds: a test waits no longer than it takes to see the difference. */
const QUICK = { ...HTTP_TIMEOUTS, headers: 300, request: 600, exchange: 1000, checkInterval: 20 };

describe('Slow clients', () => {
  let service: HttpService;
  let connection: RawConnection;

  before(async () => {
    service = await new HttpService({ timeouts: QUICK }).start();
  });
  beforeEach(() => {
    connection = new RawConnection(service.server.port);
  });
  afterEach(async () => {
    connection.close();
    expect((await service.request('GET', '/health/live')).status).to.equal(200);
  });
  after(() => service.stop());

  /** Sends the text again and again until the connection closes. @returns what was received until then. */
  async function drip(text: string): Promise<string> {
    const timer = setInterval(() => connection.send(text), 10);
    try {
      return await connection.untilClosed();
    } finally {
      clearInterval(timer);
    }
  }

  it('may not take forever to begin', async () => {
    expect(statusOf(await connection.untilClosed())).to.equal(408);
  });

  it('may not take forever for their headers', async () => {
    connection.send(`GET /workers HTTP/1.1\r\n`);
    const answer = await drip('X: y\r\n');
    expect(statusOf(answer)).to.equal(408);
    expect(answer).to.match(/connection: close/i);
  });

  it('may not take forever for the headers of another request', async () => {
    connection.send('GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\nGET ');
    const answer = await connection.untilClosed();
    expect(answer.match(/HTTP\/1\.1 \d{3}/g)).to.deep.equal(['HTTP/1.1 200', 'HTTP/1.1 408']);
  });

  it('may not take forever for a body of known length', async () => {
    connection.send(`${POST}Content-Length: 100000\r\n\r\n`);
    expect(statusOf(await drip('['))).to.equal(408);
  });

  it('may not take forever for a body in chunks', async () => {
    connection.send(`${POST}Transfer-Encoding: chunked\r\n\r\n`);
    expect(statusOf(await drip('1\r\n[\r\n'))).to.equal(408);
  });

  it('may not go on forever with an unwanted body', async () => {
    connection.send(`${POST.replace(TOKEN, 'wrong')}Transfer-Encoding: chunked\r\n\r\n`);
    const answers = (await drip('1\r\n[\r\n')).match(/HTTP\/1\.1 \d{3}/g);
    expect(answers).to.deep.equal(['HTTP/1.1 401']);
  });

  it('add no job when they are cut off, even if the rest comes', async () => {
    connection.send(`${POST.replace('mail', 'cut')}Content-Length: 22\r\n\r\n[{"name":"a"`);
    await connection.until('408 Request Timeout');
    connection.send(',"data":1}]');
    await connection.untilClosed();
    expect((await service.request('GET', '/queues/cut/jobs')).status).to.equal(404);
  });

  it('may not leave an answer unread forever', async () => {
    await service.application.jobs.add(queueNamed('mail'), [
      { name: 'a', data: 'x'.repeat(9_000_000) },
    ]);
    const reader = new RawConnection(service.server.port);
    reader.socket.pause();
    reader.send(GET.repeat(5));
    const { fields } = await service.logger.line(({ fields: { method, duration, route } }) => {
      return method === 'GET' && route === '/queues/:queue/jobs' && Number(duration) > 900;
    });
    expect(fields['duration']).to.be.below(5000);
    reader.socket.resume();
    await reader.untilClosed();
    expect(reader.socket.bytesRead).to.be.below(5 * 9_000_000);
  });
});
