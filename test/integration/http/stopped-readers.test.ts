import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { HTTP_TIMEOUTS } from '../../../src/adapters/inbound/http/server/http-timeouts.ts';
import { EventStream } from '../../support/event-stream.ts';
import { eventually } from '../../support/eventually.ts';
import { WEB_SOCKET_UPGRADE } from '../../support/web-socket-upgrade.ts';
import { HttpService, TOKEN } from './support/http-service.ts';

const EVENTS = '/queues/mail/events';

/** Long names make long events, of which a few are more than the system buffers. */
const NAME = 'x'.repeat(1000);
const JOBS = 1000;

describe('Subscribers that stop reading', () => {
  let service: HttpService;
  const sockets: Socket[] = [];

  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await service.stop();
  });

  /** Reads the beginning of the answer and nothing after it. */
  const stop = async (headers: string): Promise<Socket> => {
    // The connection may end with a reset.
    const socket = connect(service.server.port, '127.0.0.1').on('error', () => undefined);
    sockets.push(socket);
    socket.write(
      `GET ${EVENTS} HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${TOKEN}\r\n${headers}\r\n`,
    );
    await once(socket, 'data');
    return socket.pause();
  };

  const follow = (headers = {}): Promise<EventStream> =>
    EventStream.open(`${service.url}${EVENTS}?events=added`, {
      Authorization: `Bearer ${TOKEN}`,
      ...headers,
    });

  const add = async (count: number): Promise<void> => {
    const body = Array.from({ length: count }, () => ({ name: NAME, data: null }));
    await service.request('POST', '/queues/mail/jobs', { body });
  };

  const ended = () =>
    service.logger.lines.filter(({ fields }) => fields['route'] === '/queues/:queue/events');

  /** Reads the rest. @returns how many bytes came in all. */
  const bytesTo = async (socket: Socket): Promise<number> => {
    // Not `once`, which would treat a reset as a failure of the test.
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.resume();
    await closed;
    return socket.bytesRead;
  };

  // holds: events.slow-reader
  it('are disconnected, with everything that the system holds for them, and another one misses nothing', async () => {
    const timeouts = { ...HTTP_TIMEOUTS, reader: 200, lateReader: 200 };
    service = await new HttpService({ timeouts }).start();
    const stream = await follow();
    const stopped = [
      await stop(''),
      await stop(WEB_SOCKET_UPGRADE),
      await stop(''),
      await stop(WEB_SOCKET_UPGRADE),
    ];
    let added = 0;
    while (service.clock.sleepers > 1) {
      await add(JOBS);
      for (const { data } of await stream.take(JOBS)) expect(data.jobId).to.equal(String(++added));
    }
    await eventually('all are closed', () => Promise.resolve(ended().length === stopped.length));
    // The bytes that had arrived are there, and the megabytes that were on their way are not.
    for (const socket of stopped) expect(await bytesTo(socket)).to.be.below(1_000_000);
    await add(1);
    expect((await stream.next())?.data.jobId).to.equal(String(added + 1));
    stream.close();
  }).timeout(30_000);

  // holds: events.slow-reader
  it('leave room for others when they come back to more than they read', async () => {
    service = await new HttpService({ maxBodySize: 120_000 }).start();
    const jobs = 5000;
    for (let added = 0; added < jobs; added += 100) await add(100);
    for (let count = 0; count < 4; count += 1) {
      await stop('Last-Event-ID: 0-0\r\n');
      await stop(`Last-Event-ID: 0-0\r\n${WEB_SOCKET_UPGRADE}`);
    }
    const stream = await follow({ 'Last-Event-ID': '0-0' });
    const received = await stream.take(jobs);
    expect(received.at(-1)?.data.jobId).to.equal(String(jobs));
    stream.close();
  }).timeout(30_000);

  // holds: events.shutdown, events.slow-reader
  it('delay the shutdown of the service only for a moment, and are then reset', async () => {
    service = await new HttpService({ timeouts: { ...HTTP_TIMEOUTS, reader: 200 } }).start();
    const late = [await stop(''), await stop(WEB_SOCKET_UPGRADE)];
    while (service.clock.sleepers > 0) await add(JOBS);
    const started = performance.now();
    await service.server.stop(new AbortController().signal);
    expect(performance.now() - started).to.be.below(5000);
    for (const socket of late) expect(await bytesTo(socket)).to.be.below(1_000_000);
  }).timeout(30_000);
});
