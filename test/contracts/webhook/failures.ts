import { expect } from 'chai';
import { RawServer } from '../../support/raw-server.ts';
import type { WebhookCaller } from '../webhook-caller.ts';

const SECRET = '/path?key=secret';

export function describeFailures(caller: () => WebhookCaller): void {
  describe('a failed call names its cause and target', () => {
    for (const method of ['post', 'get'] as const) {
      // holds: delivery.errors
      it(`when nobody listens, with ${method}`, async () => {
        const server = await RawServer.start(() => undefined);
        const { origin } = server;
        await server.close();
        const failure = await caller().failure(origin + SECRET, { method });
        expect(failure).to.equal(`ECONNREFUSED ${origin}`);
      });

      it(`when there is no such host, with ${method}`, async () => {
        // Too long a label: every resolver refuses it by itself, without asking the network.
        const origin = `http://${'a'.repeat(64)}.invalid`;
        const failure = await caller().failure(origin + SECRET, { method });
        expect(failure).to.equal(`ENOTFOUND ${origin}`);
      });

      it(`when the connection is reset, with ${method}`, async () => {
        const server = await caller().raw('HTTP/1.1 200 OK\r\n', 'reset');
        const failure = await caller().failure(server.origin + SECRET, { method });
        expect(failure).to.equal(`ECONNRESET ${server.origin}`);
      });

      const short: [string, string][] = [
        ['before the head', '\r\n'],
        ['within the head', 'HTTP/1.1 200 OK\r\nconte'],
        ['within the body', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhi'],
        [
          'within a last body',
          'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 10\r\n\r\nhi',
        ],
        ['within a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhi'],
        [
          'within a last chunk',
          'HTTP/1.1 200 OK\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhi',
        ],
      ];
      for (const [where, text] of short) {
        it(`when the answer ends ${where}, with ${method}`, async () => {
          const server = await caller().raw(text, 'end');
          const failure = await caller().failure(server.origin + SECRET, { method });
          expect(failure).to.equal(`ECONNRESET ${server.origin}`);
        });
      }

      const malformed: [string, string][] = [
        ['is not HTTP', 'SMTP ready\r\n\r\n'],
        ['has a broken header', 'HTTP/1.1 200 OK\r\nbad\x01: x\r\ncontent-length: 0\r\n\r\n'],
        ['has a broken chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'],
      ];
      for (const [what, text] of malformed) {
        it(`when the answer ${what}, with ${method}`, async () => {
          const server = await caller().raw(text);
          const failure = await caller().failure(server.origin + SECRET, { method });
          expect(failure).to.equal(`MALFORMED_ANSWER ${server.origin}`);
          await server.nextClose();
        });
      }

      const upgrades: [string, string][] = [
        ['an upgrade', 'connection: upgrade\r\nupgrade: websocket\r\n'],
        ['half an upgrade', ''],
      ];
      for (const [what, headers] of upgrades) {
        it(`when the answer is ${what}, with ${method}`, async () => {
          const server = await caller().raw(
            `HTTP/1.1 101 Switching Protocols\r\n${headers}\r\n\x81\x00`,
          );
          const failure = await caller().failure(server.origin + SECRET, { method });
          expect(failure).to.equal(`UNEXPECTED_UPGRADE ${server.origin}`);
        });
      }
    }
  });

  describe('the outcome of a failed call', () => {
    // holds: attempts.outcomes
    it('is refused without a connection, and when it breaks', async () => {
      const gone = await RawServer.start(() => undefined);
      const { origin } = gone;
      await gone.close();
      expect(await caller().failedOutcome(origin)).to.equal('refused');
      for (const after of ['reset', 'end'] as const) {
        const server = await caller().raw('HTTP/1.1 200 OK\r\n', after);
        expect(await caller().failedOutcome(server.origin)).to.equal('refused');
      }
    });

    // holds: attempts.outcomes
    it('is timeout when time was up', async () => {
      const server = await RawServer.start(() => undefined);
      const outcome = await caller().failedOutcome(server.origin, { timeout: 30 });
      expect(outcome).to.equal('timeout');
      await server.close();
    });

    for (const text of ['SMTP ready\r\n\r\n', 'HTTP/1.1 101 Switching Protocols\r\n\r\n']) {
      // holds: attempts.outcomes
      it(`is failed when the answer cannot be taken: ${JSON.stringify(text)}`, async () => {
        const server = await caller().raw(text);
        expect(await caller().failedOutcome(server.origin)).to.equal('failed');
      });
    }
  });
}
