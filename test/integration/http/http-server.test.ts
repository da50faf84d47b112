import { expect } from 'chai';
import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { HttpServer } from '../../../src/adapters/inbound/http/server/http-server.ts';
import { HTTP_TIMEOUTS } from '../../../src/adapters/inbound/http/server/http-timeouts.ts';
import { eventually } from '../../support/eventually.ts';
import { rejection } from '../../support/rejection.ts';
import { RawConnection, statusOf } from './support/raw-connection.ts';
import { RecordingLogger } from './support/recording-logger.ts';

const never = (): AbortSignal => new AbortController().signal;

/** Holds every answer back until the test sends it. */
class SlowListener {
  readonly #waiting: ServerResponse[] = [];
  #arrived: (() => void) | undefined;

  readonly listen: RequestListener = (_request, response) => {
    this.#waiting.push(response);
    this.#arrived?.();
  };

  /** The requests that wait for an answer, as soon as there are that many. */
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

  const newServer = (port = 0, drainTime = 0): HttpServer => {
    const timeouts = { ...HTTP_TIMEOUTS, checkInterval: 20 };
    return new HttpServer(slow.listen, { port, maxConnections: 3, drainTime, timeouts }, logger);
  };

  beforeEach(async () => {
    slow = new SlowListener();
    logger = new RecordingLogger();
    server = newServer();
    await server.start();
  });

  afterEach(() => server.stop(AbortSignal.abort()));

  const GET = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

  const request = (): RawConnection => new RawConnection(server.port).send(GET);

  const count = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length;

  it('returns the port it listens on', async () => {
    expect(server.port).to.be.above(0);
    const connection = request();
    await slow.arrival();
    slow.answer();
    expect(statusOf(await connection.until('done'))).to.equal(200);
    connection.close();
  });

  it('fails to start on a port that is in use', async () => {
    const second = newServer(server.port);
    expect(await rejection(second.start())).to.include({ code: 'EADDRINUSE' });
    await second.stop(never());
  });

  // holds: shutdown.port-closes
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

  // holds: shutdown.port-closes
  it('delivers a whole answer to a client that reads slowly', async () => {
    const body = 'x'.repeat(20_000_000);
    const connection = request();
    connection.socket.pause();
    const [response] = await slow.arrivals(1);
    response?.end(body);
    const { port } = server;
    const stopped = server.stop(never());
    expect(await new RawConnection(port).untilClosed()).to.equal('');
    connection.socket.resume();
    expect((await connection.untilClosed()).length).to.be.above(body.length);
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
    connection.send(GET.repeat(3));
    await slow.arrivals(3);
    const stopped = server.stop(never());
    slow.answer();
    expect((await connection.untilClosed()).match(/HTTP\/1\.1 200/g)).to.have.lengthOf(3);
    await stopped;
  });

  it('aborts every request of a client that goes away, including those that wait for others', async () => {
    const connection = new RawConnection(server.port);
    connection.send(GET.repeat(3));
    const responses = await slow.arrivals(3);
    const closed = Promise.all(responses.map((response) => once(response, 'close')));
    slow.answerLast();
    // A client that closes only its own side has not gone.
    connection.socket.resetAndDestroy();
    await closed;
  });

  // holds: security.half-closed
  it('answers a client that closes its side after the request, then closes', async () => {
    const connection = request();
    await slow.arrival();
    connection.socket.end();
    const second = request();
    await slow.arrivals(2);
    slow.answer();
    const answer = await connection.untilClosed();
    expect(answer)
      .to.contain('done')
      .and.to.match(/connection: close/i);
    second.close();
  });

  // holds: security.half-closed
  it('answers all requests that a client sent at once before it closed its side', async () => {
    const connection = new RawConnection(server.port);
    connection.send(GET.repeat(60)).socket.end();
    await slow.arrivals(50);
    slow.answer();
    await slow.arrivals(10);
    slow.answer();
    expect(count(await connection.untilClosed(), /200 OK/g)).to.equal(60);
  });

  // holds: security.pipelining
  it('handles 50 requests of a connection at once, the others in order as slots become free', async () => {
    const connection = new RawConnection(server.port).send(GET.repeat(120));
    const first = await slow.arrivals(50);
    const other = request();
    expect(await slow.arrivals(51)).to.have.lengthOf(51);
    first[0]!.end('first');
    expect(await slow.arrivals(52)).to.have.lengthOf(52);
    slow.answer();
    await slow.arrivals(50);
    slow.answer();
    await slow.arrivals(19);
    slow.answer();
    await eventually('all are answered', async () => {
      return count(await connection.until('first'), /200 OK/g) === 120;
    });
    connection.close();
    other.close();
  });

  // holds: security.pipelining
  it('reads no more of a connection that has requests waiting', async () => {
    const connection = new RawConnection(server.port);
    connection.send(GET.repeat(500_000));
    await slow.arrivals(50);
    const other = request();
    await slow.arrivals(51);
    slow.answer();
    await other.until('done');
    expect(connection.socket.writableLength, 'bytes that were not taken').to.be.above(10_000_000);
    connection.close();
    other.close();
  });

  describe('that drains', () => {
    let draining: Promise<void>;
    let ended: AbortController;

    beforeEach(async () => {
      await server.stop(never());
      server = newServer(0, 60_000);
      await server.start();
      ended = new AbortController();
    });

    const drain = (): void => {
      draining = server.drain(ended.signal);
    };

    // holds: shutdown.drain
    it('continues to serve, over new and idle connections, and says that each closes', async () => {
      const idle = request();
      await slow.arrival();
      slow.answer();
      await idle.until('done');
      drain();
      idle.send(GET);
      await slow.arrival();
      slow.answer();
      const late = request();
      await slow.arrival();
      slow.answer();
      expect(count(await idle.untilClosed(), /connection: close/gi)).to.equal(1);
      expect(count(await late.untilClosed(), /connection: close/gi)).to.equal(1);
      ended.abort();
      await draining;
    });

    it('announces the end on connections with requests in flight too, in the last answer', async () => {
      const connection = new RawConnection(server.port).send(GET.repeat(2));
      await slow.arrivals(2);
      drain();
      connection.send(GET);
      await slow.arrivals(3);
      slow.answer();
      const answers = (await connection.untilClosed()).split('HTTP/1.1 200 OK').slice(1);
      expect(answers.map((text) => /connection: close/i.test(text))).to.deep.equal([
        false,
        false,
        true,
      ]);
    });

    it('handles no request after the answer that was announced as the last', async () => {
      drain();
      const connection = request();
      const [response] = await slow.arrivals(1);
      response!.writeHead(200).write('do');
      await connection.until('do');
      connection.send(GET);
      const other = request();
      expect(await slow.arrivals(2)).to.have.lengthOf(2);
      response!.end('ne');
      expect(await connection.untilClosed()).to.contain('close');
      other.close();
    });

    it('ends at the deadline, at the latest', async () => {
      drain();
      ended.abort();
      await draining;
      await server.stop(ended.signal);
    });

    it('then waits for the request of a client that has just connected', async () => {
      const connection = new RawConnection(server.port);
      await once(connection.socket, 'connect');
      const half = new RawConnection(server.port).send(GET.slice(0, 20));
      await once(half.socket, 'connect');
      const { port } = server;
      const stopped = server.stop(never());
      await eventually('the port is closed', async () => {
        const { socket } = new RawConnection(port);
        const connected = once(socket, 'connect').then(
          () => true,
          () => false,
        );
        if (!(await connected)) return true;
        socket.destroy();
        return false;
      });
      connection.send(GET);
      half.send(GET.slice(20));
      await slow.arrivals(2);
      slow.answer();
      expect(await connection.untilClosed()).to.contain('done');
      expect(await half.untilClosed()).to.contain('done');
      await stopped;
    });
  });

  it('refuses connections beyond the limit, logs that, and serves the others', async () => {
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
