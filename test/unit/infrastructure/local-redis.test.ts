import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import { hasLocalRedis } from '../../../src/infrastructure/lifecycle/local-redis.ts';

describe('a Redis on this machine', () => {
  for (const [what, answer, isThere] of [
    ['one that answers', '+PONG\r\n', true],
    ['one that wants a password', '-NOAUTH Authentication required.\r\n', true],
    ['a server of another kind', 'HTTP/1.1 400 Bad Request\r\n', false],
  ] as const) {
    it(`is ${isThere ? '' : 'not '}found: ${what}`, async () => {
      const server = createServer((socket) => {
        socket.on('data', () => socket.end(answer));
        socket.on('error', () => undefined);
      }).listen(0, 'localhost');
      await once(server, 'listening');
      expect(await hasLocalRedis((server.address() as AddressInfo).port)).to.equal(isThere);
      server.close();
      await once(server, 'close');
    });
  }

  it('is not found where nothing listens', async () => {
    const server = createServer().listen(0, 'localhost');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    expect(await hasLocalRedis(port)).to.equal(false);
  });
});
