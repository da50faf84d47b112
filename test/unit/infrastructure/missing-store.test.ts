import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import { missingStore } from '../../../src/infrastructure/lifecycle/missing-store.ts';

describe('what a service needs when it is started without settings', () => {
  it('is named with the variables of each store, unless there is a Redis or something is set', async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, 'localhost');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await missingStore({ PATH: '/bin' }, port)).to.equal(undefined);
    server.close();
    await once(server, 'close');
    const text = await missingStore({ PATH: '/bin' }, port);
    expect(text).to.include('STORE=memory AUTH_TOKENS=').and.include('STORE_URI=redis://');
    for (const name of ['STORE', 'STORE_URI', 'AUTH_TOKENS', 'AUTH_TOKENS_SHA256']) {
      expect(await missingStore({ [name]: 'x' }, port), name).to.equal(undefined);
    }
  });
});
