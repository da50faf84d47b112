import { SystemClock } from '../../../src/infrastructure/system-clock.ts';
import type { RequestListener, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { expect } from 'chai';
import { authenticationWith } from '../../support/authentication-with.ts';
import { Operations } from '../../../src/application/operations/operations.ts';
import { RequestLimits } from '../../../src/application/access/request-limits.ts';
import { Peers } from '../../../src/adapters/inbound/exchange/peers.ts';
import { NO_AUDIT } from '../../support/no-audit.ts';
import { environmentTokens } from '../../../src/adapters/inbound/http/api/environment-tokens.ts';
import { ErrorReporter } from '../../../src/adapters/inbound/http/api/error-reporter.ts';
import { LimitedCallers } from '../../../src/adapters/inbound/exchange/limited-callers.ts';
import { Resource } from '../../../src/adapters/inbound/http/api/resource.ts';
import { RequestRoom } from '../../../src/adapters/inbound/exchange/request-room.ts';
import { SettableHeap } from '../../support/settable-heap.ts';
import { EventLoopTurns } from '../../../src/adapters/inbound/http/messages/event-loop-turns.ts';
import {
  newExchange,
  type ExchangeResponse,
} from '../../../src/adapters/inbound/exchange/exchange.ts';
import type { OpenEndedReply } from '../../../src/adapters/inbound/http/messages/reply.ts';
import { bodyLimit } from '../../../src/adapters/inbound/exchange/request-body.ts';
import { TransferBudget } from '../../../src/adapters/inbound/exchange/transfer-budget.ts';
import { HttpServer } from '../../../src/adapters/inbound/http/server/http-server.ts';
import { queueName } from '../../../src/domain/queues/queue-name.ts';
import { Mailbox } from '../../support/mailbox.ts';
import { rejection } from '../../support/rejection.ts';
import { silentLogger } from '../../support/silent-logger.ts';

/** How many milliseconds an exchange may take here. */
const EXCHANGE = 100;

/** An answer that sends what is put into its mailbox and, at its end, how to reconnect. */
class Events {
  readonly outgoing = new Mailbox<string | undefined>();
  readonly ended = new Mailbox<void>();

  reply(): OpenEndedReply {
    return {
      status: 200,
      contentType: 'text/event-stream',
      openPieces: (ending) => this.#pieces(ending),
    };
  }

  async *#pieces(ending: AbortSignal): AsyncGenerator<string> {
    const end = (): void => {
      this.outgoing.put(undefined);
    };
    if (ending.aborted) end();
    else ending.addEventListener('abort', end);
    try {
      yield ': begun\n\n';
      for (;;) {
        const event = await this.outgoing.take();
        if (event === undefined) break;
        yield `data: ${event}\n\n`;
      }
      yield 'retry: 1000\n\n';
    } finally {
      this.ended.put();
    }
  }
}

const noLease = () => Promise.reject(new Error('Nothing is limited'));

function listener(events: Events): RequestListener {
  const budget = new TransferBudget(1_000_000, 1_000_000);
  const resource = new Resource(
    '/events',
    [
      {
        method: 'GET',
        path: '/events',
        access: 'nothing',
        id: 'followEvents',
        tag: 'Health',
        summary: 'Follow what happens',
        description: 'Without an end.',
        replies: {},
        handle: () => Promise.resolve(events.reply()),
      },
    ],
    {
      authentication: authenticationWith(environmentTokens([], [])),
      peers: new Peers({}),
      isReadOnly: false,
      limitedCallers: new LimitedCallers(
        new RequestLimits({ lease: noLease }, new SystemClock(), {}),
      ),
      attemptReports: { checkToken: () => Promise.reject(new Error('There are no jobs')) },
      operations: new Operations({
        audit: NO_AUDIT,
        clock: new SystemClock(),
        logger: silentLogger,
      }),
      tickets: { redeem: () => Promise.reject(new Error('There are no tickets')) },
      errors: new ErrorReporter(silentLogger, new Peers({})),
      bodyLimit: bodyLimit(1000),
      budgets: { api: budget, job: budget, none: budget },
      room: new RequestRoom(new SettableHeap()),
      turns: new EventLoopTurns(),
      queueName: queueName({ min: 3, max: 100 }),
    },
  );
  return (request, response: ServerResponse) => {
    const exchange = response as ExchangeResponse;
    exchange.locals = newExchange(request, true);
    if (request.url === '/events') {
      void resource.handle(Object.assign(request, { params: {} }), exchange);
    } else if (request.url !== '/never') {
      setTimeout(() => response.end('done'), EXCHANGE / 2);
    }
  };
}

describe('Answers without an end of their own', () => {
  let server: HttpServer;
  let events: Events;

  beforeEach(async () => {
    events = new Events();
    const timeouts = {
      headers: 1000,
      request: 1000,
      body: 1000,
      exchange: EXCHANGE,
      reader: 1000,
      lateReader: 1000,
      keepAlive: 1000,
      checkInterval: 20,
    };
    const settings = { port: 0, maxConnections: 10, drainTime: 300, timeouts };
    server = new HttpServer(listener(events), settings, silentLogger);
    await server.start();
  });
  afterEach(() => server.stop(AbortSignal.abort()));

  const get = (path: string, init?: RequestInit): Promise<Response> =>
    fetch(`http://127.0.0.1:${server.port}${path}`, init);

  it('outlive the time that an exchange may take', async () => {
    const reader = await follow();
    expect(await reader()).to.equal(': begun\n\n');
    // An exchange that begins later is ended for taking too long.
    const error = await rejection(get('/never'));
    expect(error).to.be.instanceOf(TypeError);
    events.outgoing.put('late');
    expect(await reader()).to.equal('data: late\n\n');
  });

  it('end first and in order when the service shuts down, and others are served meanwhile', async () => {
    const reader = await follow();
    await reader();
    const draining = server.drain(new AbortController().signal);
    expect(await reader()).to.equal('retry: 1000\n\n');
    expect(await reader()).to.equal(undefined);
    expect(await (await get('/')).text()).to.equal('done');
    await draining;
    await server.stop(new AbortController().signal);
  });

  it('end at once when they are requested after the shutdown began', async () => {
    const draining = server.drain(new AbortController().signal);
    expect(await (await get('/events')).text()).to.equal(': begun\n\nretry: 1000\n\n');
    await draining;
  });

  // fetch of Node.js 22 and 24 ends the process of a slow reader whose connection is closed as the answer announced.
  it('end with a connection that clients do not use again, without announcing its end', async () => {
    const socket = connect(server.port, '127.0.0.1').setEncoding('utf8');
    socket.write('GET /events HTTP/1.1\r\nHost: jobgate\r\n\r\n');
    events.outgoing.put(undefined);
    const answer = (await socket.toArray()).join('');
    expect(answer).to.match(/\r\nConnection: keep-alive\r\nKeep-Alive: timeout=0\r\n/);
    expect(answer).to.match(/retry: 1000\n\n\r\n0\r\n\r\n$/);
  });

  it('announce the end of their connection to a client that wants it', async () => {
    events.outgoing.put(undefined);
    const socket = connect(server.port, '127.0.0.1').setEncoding('utf8');
    socket.write('GET /events HTTP/1.1\r\nHost: jobgate\r\nConnection: close\r\n\r\n');
    const answer = (await socket.toArray()).join('');
    expect(answer)
      .to.match(/\r\nConnection: close\r\n/)
      .and.not.match(/keep-alive/i);
  });

  it('end when their client leaves', async () => {
    const left = new AbortController();
    const reader = await follow(left.signal);
    await reader();
    left.abort();
    await events.ended.take();
  });

  /** Begins to read, and returns a function that reads the next piece, undefined at the regular end. */
  async function follow(signal?: AbortSignal): Promise<() => Promise<string | undefined>> {
    const { body } = await get('/events', signal && { signal });
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
    return async () => (await reader.read()).value;
  }
});
