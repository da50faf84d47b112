import { expect } from 'chai';
import { answer, EndpointServer, type EndpointCall } from '../../support/endpoint-server.ts';
import { STORES } from '../sqs/support/stores.ts';
import { QstashService } from './support/qstash-service.ts';

for (const [store, environment] of Object.entries(STORES)) {
  describe(`flow control over QStash: ${store}`, () => {
    let service: QstashService;
    let server: EndpointServer;

    before(async () => {
      service = await QstashService.start(await environment());
    });
    after(() => service.stop());
    beforeEach(async () => {
      server = await EndpointServer.start();
    });
    afterEach(() => server.close());

    // holds: qstash.flow-control
    it('bounds the messages of a key that run, and holds up no other message', async () => {
      const held: (() => void)[] = [];
      server.respond = (call: EndpointCall, response) => {
        if (call.text !== 'limited') return answer(200)(call, response);
        held.push(() => response.end());
        return undefined;
      };
      const flowControl = { key: 'user 17: a/b', parallelism: 2 };
      for (let index = 0; index < 4; index += 1) {
        await service.client.publish({ url: server.url, body: 'limited', flowControl });
      }
      await server.nextCall();
      await server.nextCall();
      await service.client.publish({ url: server.url, body: 'free' });
      await service.client.publish({
        url: server.url,
        body: 'other key',
        flowControl: { key: 'other', parallelism: 1 },
      });
      const texts = [(await server.nextCall()).text, (await server.nextCall()).text];
      expect(texts).to.have.members(['free', 'other key']);
      expect(held).to.have.length(2);
      held.shift()?.();
      expect((await server.nextCall()).text).to.equal('limited');
      held.shift()?.();
      expect((await server.nextCall()).text).to.equal('limited');
      for (const end of held) end();
    });

    // holds: qstash.flow-control
    it('bounds the rate of the messages of a key', async () => {
      const flowControl = { key: 'rate', rate: 2, period: '1h' } as const;
      for (let index = 0; index < 3; index += 1) {
        await service.client.publish({ url: server.url, body: 'limited', flowControl });
      }
      await service.client.publish({ url: server.url, body: 'free' });
      const calls = [await server.nextCall(), await server.nextCall(), await server.nextCall()];
      expect(calls.map(({ text }) => text)).to.have.members(['limited', 'limited', 'free']);
      expect(server.calls).to.have.length(3);
    });
  });
}
