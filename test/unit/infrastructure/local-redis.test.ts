import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { hasLocalRedis } from '../../../src/infrastructure/lifecycle/local-redis.ts';

describe('a Redis on this machine', () => {
  const sockets = new Set<Socket>();
  let server: Server;
  let port: number;
  let serve: (socket: Socket) => void;

  beforeEach(async () => {
    server = createServer((socket) => {
      sockets.add(socket.on('error', () => undefined));
      serve(socket);
    }).listen(0, 'localhost');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });

  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  for (const [what, answer, isThere] of [
    ['one that answers', '+PONG\r\n', true],
    ['one that wants a password', '-NOAUTH Authentication required.\r\n', true],
    ['a server of another kind', 'HTTP/1.1 400 Bad Request\r\n', false],
  ] as const) {
    it(`is ${isThere ? '' : 'not '}found: ${what}`, async () => {
      serve = (socket) => socket.on('data', () => socket.end(answer));
      expect(await hasLocalRedis(port)).to.equal(isThere);
    });
  }

  // Nothing but the question keeps this process alive, as when the service starts: it must not end without an answer.
  for (const [what, accept] of [
    ['closes the connection', (socket: Socket) => socket.end()],
    ['resets the connection', (socket: Socket) => socket.resetAndDestroy()],
    [
      'closes the connection when asked',
      (socket: Socket) => socket.once('data', () => socket.end()),
    ],
    ['never answers', (socket: Socket) => socket.resume()],
  ] as const) {
    it(`is not found by a new process where the listener ${what}`, async () => {
      serve = accept;
      const module = new URL(
        '../../../src/infrastructure/lifecycle/local-redis.ts',
        import.meta.url,
      );
      const script = `import { hasLocalRedis } from '${module.href}';
        console.log(await hasLocalRedis(${port}));`;
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['--import', 'tsx', '--input-type=module', '--eval', script],
        { timeout: 15_000 },
      );
      expect(stdout.trim()).to.equal('false');
    });
  }

  it('is not found where nothing listens', async () => {
    server.close();
    await once(server, 'close');
    expect(await hasLocalRedis(port)).to.equal(false);
  });
});
