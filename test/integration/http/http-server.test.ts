import { expect } from 'chai';
import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { HttpServer } from '../../../src/adapters/inbound/http/http-server.ts';
import { HTTP_TIMEOUTS } from '../../../src/adapters/inbound/http/http-timeouts.ts';
import { eventually } from '../../support/eventually.ts';
import { rejection } from '../../support/rejection.ts';
import { RawConnection, statusOf } from './support/raw-connection.ts';
import { RecordingLogger } from './support/recording-logger.ts';

const never = (): AbortSignal => new AbortController().signal;

/** Holds every answer back until the test gives it. */
class SlowListener {
  readonly #waiting: ServerResponse[] = [];
  #arrived: (() => void) | undefined;

  readonly listen: RequestListener = (_request, response) => {
    this.#waiting.push(response);
    this.#arrived?.();
  };

  /** The requests that wait for an answer, as soon as there are so many. */
  async arrivals(count: number): Promise<readonly ServerResponse[]> {
    while (this.#waiting.length < count) {
      await new Promise<void>((resolve) => {
        this.#arrived = resolve;
      });
    }
    return [...this.#waiting];
  }

  async arrival(): Promise<void> {
    await this.arrivals(1);
  }

  answer(): void {
    for (const response of this.#waiting.splice(0)) response.end('done');
  }

  answerLast(): void {
    this.#waiting.pop()?.end('done');
  }
}

describe('HttpServer', () => {
  let slow: SlowListener;
  let server: HttpServer;
  let logger: RecordingLogger;

  const newServer = (port = 0): HttpServer => {
    const timeouts = { ...HTTP_TIMEOUTS, checkInterval: 20 };
    return new HttpServer(slow.listen, { port, maxConnections: 3, timeouts }, logger);
  };

  beforeEach(async () => {
    slow = new SlowListener();
    logger = new RecordingLogger();
    server = newServer();
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
    const second = newServer(server.port);
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

  it('answers requests that were sent at once before it closes', async () => {
    const connection = new RawConnection(server.port);
    connection.send('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(3));
    await slow.arrivals(3);
    const stopped = server.stop(never());
    slow.answer();
    expect((await connection.untilClosed()).match(/HTTP\/1\.1 200/g)).to.have.lengthOf(3);
    await stopped;
  });

  it('tells every request of a client that goes away, also those that wait for others', async () => {
    const connection = new RawConnection(server.port);
    connection.send('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(3));
    const responses = await slow.arrivals(3);
    const closed = Promise.all(responses.map((response) => once(response, 'close')));
    slow.answerLast();
    connection.close();
    await closed;
  });

  it('refuses connections beyond the most there may be, says so, and serves the others', async () => {
    const connections = [request(), request(), request()];
    await slow.arrivals(3);
    expect(await request().untilClosed()).to.equal('');
    const { fields } = await logger.line(({ level }) => level === 'warn');
    expect(fields).to.deep.equal({ refused: 1, limit: 3 });
    slow.answer();
    for (const connection of connections) await connection.until('done');
    connections[0]!.close();
    await eventually('there is room for another', async () => {
      const next = request();
      const arrived = slow.arrival().then(() => true);
      const served = await Promise.race([arrived, next.untilClosed().then(() => false)]);
      slow.answer();
      if (served) await next.until('done');
      next.close();
      return served;
    });
    for (const connection of connections) connection.close();
  });

  it('may be stopped twice, and without having been started', async () => {
    await Promise.all([server.stop(never()), server.stop(never())]);
    await newServer().stop(never());
  });
});
