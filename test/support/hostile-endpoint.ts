import * as net from 'node:net';
import { gzipSync } from 'node:zlib';

type Behaviour = (socket: net.Socket) => void;

/** In milliseconds. */
const READS_NOTHING = 1000;

const HEAD = 'HTTP/1.1 200 OK\r\n';

/** Megabytes of zeros in a few kilobytes. */
const BOMB = gzipSync(Buffer.alloc(20_000_000));

const EXTENDED_CHUNK = `1;${'x'.repeat(10_000)}\r\n.\r\n`;

function saying(text: string): Behaviour {
  return (socket) => socket.write(text);
}

/** Says the same again and again, as fast as it is taken. */
function endlessly(text: string, beginning = ''): Behaviour {
  return (socket) => {
    const block = text.repeat(Math.ceil(65_536 / text.length));
    const send = (): void => {
      while (!socket.destroyed && socket.write(block));
    };
    socket.write(beginning);
    socket.on('drain', send);
    send();
  };
}

/** Says the same again and again, a hundred times a second. */
function dripping(text: string, beginning = ''): Behaviour {
  return (socket) => {
    socket.write(beginning);
    const timer = setInterval(() => socket.write(text), 10);
    socket.once('close', () => {
      clearInterval(timer);
    });
  };
}

/** What the endpoint can do, by the name of the job it is called for. */
const BEHAVIOURS = {
  fine: saying(`${HEAD}content-length: 4\r\n\r\nfine`),
  'never answers': () => undefined,
  'reads nothing': (socket) => {
    socket.pause();
    // Only who reads sees that the caller has gone.
    setTimeout(() => socket.resume(), READS_NOTHING);
  },
  'drips its head': dripping('x: y\r\n', HEAD),
  'drips its body': dripping('.', `${HEAD}content-length: 1000000\r\n\r\n`),
  'sends gigabytes': endlessly('x'.repeat(65_536), `${HEAD}\r\n`),
  'sends tiny chunks': endlessly('1\r\n.\r\n', `${HEAD}transfer-encoding: chunked\r\n\r\n`),
  'extends its chunks': endlessly(EXTENDED_CHUNK, `${HEAD}transfer-encoding: chunked\r\n\r\n`),
  'sends endless headers': endlessly('x: y\r\n', HEAD),
  'hints for ever': endlessly('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'),
  'continues for ever': endlessly('HTTP/1.1 100 Continue\r\n\r\n'),
  'sends a bomb': (socket) => {
    const headers = `content-encoding: gzip\r\ncontent-length: ${BOMB.length}\r\n\r\n`;
    socket.write(`${HEAD}${headers}`);
    socket.write(BOMB);
  },
  'speaks no HTTP': saying('220 mail ESMTP\r\n\r\n'),
  'breaks its chunks': saying(`${HEAD}transfer-encoding: chunked\r\n\r\nzz\r\n`),
  'redirects to itself': saying(
    'HTTP/1.1 302 Found\r\nlocation: /hook\r\ncontent-length: 0\r\n\r\n',
  ),
  resets: (socket) => socket.resetAndDestroy(),
  'hangs up': (socket) => socket.end(),
} as const satisfies Readonly<Record<string, Behaviour>>;

export type BehaviourName = keyof typeof BEHAVIOURS;

/** A worker endpoint that behaves as the name of the job says. */
export class HostileEndpoint {
  static readonly behaviours = Object.keys(BEHAVIOURS) as readonly BehaviourName[];

  readonly #sockets = new Set<net.Socket>();
  readonly #server = net.createServer((socket) => {
    this.#sockets.add(socket);
    // Callers that give up reset the connection: that is what the tests are about.
    socket.on('error', () => undefined);
    socket.once('close', () => this.#sockets.delete(socket));
    socket.on('data', (chunk: Buffer) => {
      const name = /"name":"([^"]+)"/.exec(chunk.toString('latin1'))?.[1];
      // What follows the beginning of a call is of no interest.
      if (name !== undefined) BEHAVIOURS[name as BehaviourName](socket);
    });
  });

  static async start(): Promise<HostileEndpoint> {
    const endpoint = new HostileEndpoint();
    await new Promise<void>((resolve) => endpoint.#server.listen(0, '127.0.0.1', resolve));
    return endpoint;
  }

  /** How many connections to it are open. */
  get connections(): number {
    return this.#sockets.size;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as net.AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}
