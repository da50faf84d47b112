import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import type { ClientOptions } from 'ws';
import { HTTP_TIMEOUTS } from '../../../src/adapters/inbound/http/server/http-timeouts.ts';
import { EventSocket } from '../../support/event-socket.ts';
import { eventually } from '../../support/eventually.ts';
import { rejection } from '../../support/rejection.ts';
import type { StreamedEvent } from '../../support/event-stream.ts';
import { WEB_SOCKET_UPGRADE } from '../../support/web-socket-upgrade.ts';
import { HttpService, TOKEN } from './support/http-service.ts';

const AUTHORIZED = { Authorization: `Bearer ${TOKEN}` };
const PATH = '/queues/mail/events';

describe('Events over a WebSocket', () => {
  let service: HttpService;
  const sockets: EventSocket[] = [];

  beforeEach(async () => {
    const timeouts = { ...HTTP_TIMEOUTS, reader: 200 };
    service = await new HttpService({ timeouts }).start();
  });

  afterEach(async () => {
    for (const { socket } of sockets.splice(0)) socket.terminate();
    await service.stop();
  });

  const follow = async (path: string, options?: ClientOptions): Promise<EventSocket> => {
    const opened = await EventSocket.open(service.url + path, options ?? { headers: AUTHORIZED });
    sockets.push(opened);
    return opened;
  };

  const refusal = async (path: string, headers: Readonly<Record<string, string>>) => {
    const { message } = await rejection(follow(path, { headers }));
    return message;
  };

  const add = async (count = 1, name = 'work'): Promise<void> => {
    const body = Array.from({ length: count }, () => ({ name, data: null }));
    await service.request('POST', '/queues/mail/jobs', { body });
  };

  const issue = async (grant: object): Promise<string> => {
    const answer = await service.request('POST', '/tickets', { body: grant });
    return (JSON.parse(answer.text) as { ticket: string }).ticket;
  };

  // holds: events.web-socket
  it('are messages with the id, the event and the data', async () => {
    const socket = await follow(`${PATH}?events=added,waiting`);
    expect(socket.socket.extensions).to.equal('');
    await add(2);
    const events = await socket.take(4);
    expect(events.map(({ event, data: { jobId } }) => [event, jobId])).to.deep.equal([
      ['added', '1'],
      ['waiting', '1'],
      ['added', '2'],
      ['waiting', '2'],
    ]);
    const [first] = events as [StreamedEvent];
    const data = { queue: 'mail', timestamp: service.clock.now(), jobId: '1', name: 'work' };
    expect(first).to.deep.equal({ id: first.id, event: 'added', data });
    const resumed = await follow(`${PATH}?lastEventId=${first.id}`);
    expect(await resumed.take(3)).to.deep.equal(events.slice(1));
  });

  // holds: events.web-socket-position
  it('begin with the id to resume from, and a client that lost its connection misses nothing', async () => {
    await add();
    for (const path of [PATH, `${PATH}?events=completed`, '/events']) {
      const lost = await follow(path);
      const id = await lost.position();
      lost.socket.terminate();
      await add();
      const resumed = await follow(`${path.replace(/\?.*/, '')}?lastEventId=${id}`);
      expect(await resumed.position()).to.equal(id);
      const [added, waiting] = await resumed.take(2);
      expect([added?.event, waiting?.event]).to.deep.equal(['added', 'waiting']);
      await service.clock.advance(15_000);
      // Across all queues, the position advances with the clock.
      if (path !== '/events') expect(await resumed.position()).to.equal(waiting?.id);
    }
  });

  // holds: events.early-frames
  it('accept what a client sends along with its request', async () => {
    const request =
      `GET ${PATH} HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${TOKEN}\r\n` +
      `${WEB_SOCKET_UPGRADE}\r\n`;
    // A ping and a close frame, masked with zeros.
    const ping = Buffer.from([0x89, 0x82, 0, 0, 0, 0, 0x68, 0x69]);
    const close = Buffer.from([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe8]);
    for (const [first, ...rest] of [
      [Buffer.concat([Buffer.from(request), ping, close])],
      [Buffer.concat([Buffer.from(request), ping.subarray(0, 3)]), ping.subarray(3), close],
    ]) {
      const socket = connect(service.server.port, '127.0.0.1');
      socket.write(first!);
      for (const part of rest) setImmediate(() => socket.write(part));
      const chunks: Buffer[] = [];
      for await (const chunk of socket) chunks.push(chunk as Buffer);
      const answer = Buffer.concat(chunks);
      expect(answer.toString('latin1')).to.match(/^HTTP\/1\.1 101 /);
      expect(answer.includes(Buffer.from([0x8a, 0x02, 0x68, 0x69])), 'pong').to.equal(true);
      expect(answer.subarray(-4)).to.deep.equal(Buffer.from([0x88, 0x02, 0x03, 0xe8]));
    }
  });

  // holds: events.early-frames
  it('are refused like any request, even with frames sent along', async () => {
    for (const [path, status] of [
      [PATH, 401],
      [`${PATH}?ticket=used`, 401],
      ['/queues/mail/nothing', 401],
    ] as const) {
      const socket = connect(service.server.port, '127.0.0.1');
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: here\r\n${WEB_SOCKET_UPGRADE}\r\n\x89\x80\0\0\0\0`,
      );
      const [chunk] = (await once(socket, 'data')) as [Buffer];
      expect(chunk.toString()).to.match(new RegExp(`^HTTP/1\\.1 ${status} `));
      socket.destroy();
    }
  });

  // holds: events.web-socket, tickets.issue
  it('need a token, or a ticket for these events', async () => {
    expect(await refusal(PATH, {})).to.equal('401 A bearer token is required');
    expect(await refusal(`${PATH}?ticket=used`, {})).to.equal('401 The ticket is not valid');
    const ticket = await issue({ queues: ['news'] });
    expect(await refusal(`${PATH}?ticket=${ticket}`, {})).to.equal(
      '403 The ticket is not for this queue',
    );
    const socket = await follow(`${PATH}?ticket=${await issue({ events: ['waiting'] })}`, {});
    await add(2);
    expect((await socket.take(2)).map(({ event }) => event)).to.deep.equal(['waiting', 'waiting']);
  });

  // holds: events.web-socket-origin
  it('are sent to pages with a ticket only', async () => {
    const Origin = 'https://elsewhere.example';
    for (const headers of [{ Origin }, { Origin, ...AUTHORIZED }]) {
      expect(await refusal(PATH, headers)).to.equal('403 A page opens a WebSocket with a ticket');
    }
    const socket = await follow(`${PATH}?ticket=${await issue({})}`, { headers: { Origin } });
    await add();
    expect((await socket.next()).event).to.equal('added');
  });

  // holds: events.web-socket
  it('are refused like any request', async () => {
    for (const [path, mistake] of [
      [`${PATH}?events=ended`, '400 events must be a list of '],
      [`${PATH}?lastEventId=last`, '400 lastEventId must be the id of an event'],
      ['/queues/a/events', '400 '],
      ['/queues/mail/nowhere', '404 '],
    ] as const) {
      expect(await refusal(path, AUTHORIZED)).to.satisfy((message: string) =>
        message.startsWith(mistake),
      );
    }
    const headers = { ...AUTHORIZED, Connection: 'Upgrade', Upgrade: 'websocket' };
    const [answer] = (await once(get(service.url + PATH, { headers }), 'response')) as [
      IncomingMessage,
    ];
    expect(answer.statusCode).to.equal(400);
    expect(await text(answer)).to.match(/^The WebSocket handshake is not valid: .*Key header$/);
  });

  // holds: events.web-socket
  it('are refused in another version of the protocol, with the versions that are spoken', async () => {
    const socket = connect(service.server.port, '127.0.0.1');
    const upgrade = WEB_SOCKET_UPGRADE.replace('Version: 13', 'Version: 7');
    socket.write(
      `GET ${PATH} HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${TOKEN}\r\n${upgrade}\r\n`,
    );
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    expect(chunk.toString())
      .to.match(/^HTTP\/1\.1 426 /)
      .and.to.match(/\r\nSec-WebSocket-Version: 13, 8\r\n/)
      .and.to.match(/\r\nUpgrade: websocket\r\n/)
      .and.to.match(/\r\nConnection: Upgrade\r\n/);
    socket.destroy();
  });

  // holds: events.web-socket
  it('are not sent before the request is complete', async () => {
    const socket = connect(service.server.port, '127.0.0.1');
    socket.write(
      `GET ${PATH} HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Length: 5\r\n` +
        `${WEB_SOCKET_UPGRADE}\r\n`,
    );
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    expect(chunk.toString()).to.match(/^HTTP\/1\.1 400 /);
    socket.destroy();
  });

  // holds: events.web-socket
  it('are Server-Sent Events for a client that asks for another protocol', async () => {
    const socket = connect(service.server.port, '127.0.0.1');
    socket.write(
      `GET ${PATH} HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${TOKEN}\r\n` +
        'Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
    );
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    expect(chunk.toString()).to.match(/^HTTP\/1\.1 200 .*text\/event-stream/s);
    socket.destroy();
  });

  // holds: events.comment
  it('come with a ping every 15 s', async () => {
    const socket = await follow(PATH);
    for (let times = 0; times < 2; times += 1) {
      const ping = socket.ping();
      await service.clock.advance(15_000);
      await ping;
    }
  });

  // holds: events.shutdown
  it('end first when the service begins to end', async () => {
    const socket = await follow(PATH);
    const { signal } = new AbortController();
    await service.server.drain(signal);
    expect(await socket.closed).to.equal(1001);
    await service.server.stop(signal);
  });

  // holds: events.left
  it('have no subscriber once the client has left', async () => {
    const { sleepers } = service.clock;
    for (const leave of ['close', 'terminate'] as const) {
      const socket = await follow(PATH);
      expect(service.clock.sleepers).to.equal(sleepers + 1);
      socket.socket[leave]();
      await eventually('nobody follows', () =>
        Promise.resolve(service.clock.sleepers === sleepers),
      );
    }
  });

  // holds: events.web-socket
  it('are one-way: a long message from the client ends them', async () => {
    const socket = await follow(PATH);
    socket.socket.send('hello');
    socket.socket.send('x'.repeat(2000));
    expect(await socket.closed).to.equal(1009);
  });

  // holds: events.slow-reader
  it('end with a gap for a client that does not take them', async () => {
    const socket = await follow(PATH);
    socket.socket.pause();
    while (service.clock.sleepers > 0) await add(3000, 'x'.repeat(1000));
    socket.socket.resume();
    expect(await socket.closed).to.equal(1013);
    let lastId = '';
    let event = await socket.next();
    // A gap among events that the store still had continues after the lost ones; the last gap begins and ends where the
    // client is.
    while (event.event !== 'gap' || event.id !== event.data.from) {
      lastId = event.id;
      event = await socket.next();
    }
    expect(event.id).to.equal(lastId);
    expect(event.data.queue).to.equal('mail');
    const resumed = await follow(`${PATH}?lastEventId=${lastId}`);
    expect((await resumed.next()).event).to.be.oneOf(['added', 'waiting', 'gap']);
  }).timeout(30_000);
});
