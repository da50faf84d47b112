import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { WEB_SOCKET_UPGRADE } from '../../../test/support/web-socket-upgrade.ts';
import { request } from 'undici';
import { requestBytes, type Target } from '../../load.ts';
import type { Attack } from '../attack.ts';
import { withToken, type Caller } from '../caller.ts';
import { addSmall, JOBS, MEGABYTE, several, whileRunning } from '../steps.ts';

/** Connections that are opened at the same moment. */
const AT_ONCE = 50;

/** Bodies that are announced and do not come: what they announce is more than the memory for large bodies. */
const ANNOUNCED = 84;

/** Reports of a worker beside them, each large enough to count. */
const REPORTS = 100;

interface Held {
  readonly sockets: readonly Socket[];
  readonly leave: () => void;
}

/** Connections that have sent the bytes. With `answered`, they take the beginning of an answer and nothing behind it. */
async function hold(
  { host, port }: Target,
  bytes: string,
  count: number,
  answered: boolean,
): Promise<Held> {
  const sockets: Socket[] = [];
  const open = async (): Promise<void> => {
    // The service may end it, by a reset too.
    const socket = connect(port, host).on('error', () => undefined);
    sockets.push(socket);
    socket.write(bytes);
    const gone = new Promise((resolve) => socket.once('close', resolve));
    await Promise.race([once(socket, answered ? 'data' : 'connect'), gone]);
    socket.pause();
  };
  while (sockets.length < count) {
    const some = Math.min(AT_ONCE, count - sockets.length);
    await Promise.all(Array.from({ length: some }, open));
  }
  const leave = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return { sockets, leave };
}

function announcing(path: string, token: string): string {
  const head = ['Host: here', `Authorization: Bearer ${token}`, `Content-Length: ${MEGABYTE}`];
  return `POST ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n"`;
}

/** Announces large bodies with the token while a worker reports, whose reports must all be taken. */
function announce(path: (job: string) => string, token: (caller: Caller) => string) {
  return (caller: Caller): Promise<void> =>
    whileRunning(caller, async (job, jobToken) => {
      const bytes = announcing(path(job), token(caller));
      const held = await hold(caller.target, bytes, ANNOUNCED, false);
      const report = `"${'x'.repeat(30_000)}"`;
      let refused = 0;
      for (let count = 0; count < REPORTS; count += 1) {
        const status = await caller.call('POST', `${job}/progress`, report, withToken(jobToken));
        if (status !== 200) refused += 1;
        await sleep(20);
      }
      held.leave();
      console.log(`  ${refused} of ${REPORTS} reports of a worker were refused`);
    });
}

const EVENTS = '/queues/told/events';

/** Follows a queue over many connections that read nothing, while jobs are added to it. */
function followUnread(count: number, isWebSocket: boolean) {
  return async (caller: Caller): Promise<void> => {
    const head = requestBytes(caller.target, { method: 'GET' }, EVENTS).toString();
    const bytes = isWebSocket ? head.replace('\r\n\r\n', `\r\n${WEB_SOCKET_UPGRADE}\r\n`) : head;
    const held = await hold(caller.target, bytes, count, true);
    const jobs = Array.from({ length: 1000 }, () => ({ name: 'x'.repeat(200), data: 1 }));
    for (let added = 0; added < 10; added += 1) {
      await caller.must('POST', '/queues/told/jobs', JSON.stringify(jobs));
      await sleep(500);
    }
    held.leave();
  };
}

const KEPT = 10_000;

/** In ms: a stream that does not arrive at the last event by then ends the attack. */
const LONGEST_STREAM = 30_000;

/** Reads the events that are kept of a queue up to the last job's, over a connection that is then given up. */
async function resumeFromFirst({ target: { host, port, token } }: Caller): Promise<void> {
  const url = `http://${host}:${port}${EVENTS}?lastEventId=0-0`;
  const signal = AbortSignal.timeout(LONGEST_STREAM);
  const { body } = await request(url, { headers: withToken(token), signal });
  body.on('error', () => undefined);
  const last = `"jobId":"${KEPT}"`;
  let end = '';
  for await (const piece of body) {
    const text = end + String(piece);
    if (text.includes(last)) return;
    end = text.slice(-last.length);
  }
}

export const CONNECTIONS: readonly Attack[] = [
  {
    name: `${ANNOUNCED} announced bodies with a made-up bearer`,
    run: announce(
      (job) => `${job}/complete`,
      () => 'made-up',
    ),
  },
  {
    name: `${ANNOUNCED} announced bodies with an API token`,
    run: announce(
      () => JOBS,
      (caller) => caller.target.token,
    ),
  },
  { name: '2000 event streams that do not read', run: followUnread(2000, false) },
  { name: '500 WebSockets that do not read', run: followUnread(500, true) },
  {
    name: `50 event streams that resume ${KEPT.toLocaleString('en')} events ago`,
    prepare: (caller) => addSmall(caller, KEPT, '/queues/told/jobs'),
    run: (caller) => several(50, 50, () => resumeFromFirst(caller)),
  },
];
