import { expect } from 'chai';
import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { HttpServer } from '../../../src/adapters/inbound/http/http-server.ts';
import { rejection } from '../../support/rejection.ts';
import { RawConnection, statusOf } from './support/raw-connection.ts';

const never = (): AbortSignal => new AbortController().signal;

/** Holds every answer back until the test gives it. */
class SlowListener {
  readonly #waiting: ServerResponse[] = [];
  #arrived: (() => void) | undefined;

  readonly listen: RequestListener = (_request, response) => {
    this.#waiting.push(response);
    this.#arrived?.();
  };

  async arrival(): Promise<void> {
    if (this.#waiting.length > 0) return;
    await new Promise<void>((resolve) => {
      this.#arrived = resolve;
    });
  }

  answer(): void {
    for (const response of this.#waiting.splice(0)) response.end('done');
  }
}

describe('HttpServer', () => {
  let slow: SlowListener;
  let server: HttpServer;

  beforeEach(async () => {
    slow = new SlowListener();
    server = new HttpServer(slow.listen, 0);
    await server.start();
  });

  afterEach(() => server.stop(AbortSignal.abort()));

  const request = (): RawConnection =>
    new RawConnection(server.port).send('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');

  it('tells the port it listens on', async () => {
    expect(server.port).to.be.above(0);
    const connection = request();
    await slow.arrival();
    slow.answer();
    expect(statusOf(await connection.until('done'))).to.equal(200);
    connection.close();
  });

  it('fails to start on a port that is taken', async () => {
    const second = new HttpServer(slow.listen, server.port);
    expect(await rejection(second.start())).to.include({ code: 'EADDRINUSE' });
    await second.stop(never());
  });

  it('lets requests in flight finish, says that it closes, and takes no new connection', async () => {
    const connection = request();
    await slow.arrival();
    const { port } = server;
    const stopped = server.stop(never());
    const late = new RawConnection(port);
    expect(await late.untilClosed()).to.equal('');
    slow.answer();
    const answer = await connection.untilClosed();
    expect(answer)
      .to.contain('done')
      .and.to.match(/connection: close/i);
    await stopped;
  });

  it('closes connections that are idle at once', async () => {
    const connection = request();
    await slow.arrival();
    slow.answer();
    await connection.until('done');
    await server.stop(never());
    expect(await connection.untilClosed()).to.contain('done');
  });

  it('closes connections that never sent anything', async () => {
    const connection = new RawConnection(server.port);
    await once(connection.socket, 'connect');
    const busy = request();
    await slow.arrival();
    const stopped = server.stop(never());
    slow.answer();
    await Promise.all([stopped, connection.untilClosed(), busy.untilClosed()]);
  });

  it('gives up at the deadline', async () => {
    const connection = request();
    await slow.arrival();
    const deadline = new AbortController();
    const stopped = server.stop(deadline.signal);
    deadline.abort();
    await stopped;
    expect(await connection.untilClosed()).to.equal('');
  });

  it('may be stopped twice, and without having been started', async () => {
    await Promise.all([server.stop(never()), server.stop(never())]);
    await new HttpServer(slow.listen, 0).stop(never());
  });
});
