import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { answer } from '../../support/endpoint-server.ts';
import type { WebhookCaller } from '../webhook-caller.ts';

export function describeAnswers(caller: () => WebhookCaller): void {
  describe('the answer', () => {
    for (const status of [200, 201, 209, 210, 301, 302, 303, 307, 308, 400, 404, 500, 503, 599]) {
      for (const method of ['post', 'get'] as const) {
        // holds: delivery.redirects
        it(`is returned whole with status ${status}, with ${method}`, async () => {
          const headers = { location: '/elsewhere', 'content-type': 'application/json; x=y' };
          const endpoint = await caller().endpoint(answer(status, '{"done":true}', headers));
          const {
            statusText,
            headers: told,
            ...rest
          } = await caller().call(endpoint.url, { method });
          expect(rest).to.deep.equal({ status, body: '{"done":true}' });
          expect(told).to.include(headers);
          expect(statusText).to.be.a('string');
          expect(endpoint.calls).to.have.lengthOf(1);
        });
      }
    }

    for (const status of [204, 205, 304]) {
      it(`may have no body, with status ${status}`, async () => {
        const endpoint = await caller().endpoint(answer(status));
        const { headers, ...rest } = await caller().call(endpoint.url);
        expect(rest).to.include({ status, body: '' });
        expect(headers).not.to.have.property('content-type');
      });
    }

    it('has the reason phrase of the endpoint', async () => {
      const server = await caller().raw('HTTP/1.1 503 Gone fishing\r\ncontent-length: 0\r\n\r\n');
      expect((await caller().call(server.origin)).statusText).to.equal('Gone fishing');
    });

    it('has the usual reason phrase when the endpoint gives none', async () => {
      const server = await caller().raw('HTTP/1.1 503\r\ncontent-length: 0\r\n\r\n');
      expect((await caller().call(server.origin)).statusText).to.equal('Service Unavailable');
    });

    it('has no reason phrase when there is none for the status', async () => {
      const server = await caller().raw('HTTP/1.1 299 \r\ncontent-length: 0\r\n\r\n');
      expect((await caller().call(server.origin)).statusText).to.equal('');
    });

    it('is put together from its pieces, wherever characters are split', async () => {
      const bytes = Buffer.from('grün 🎨');
      const endpoint = await caller().endpoint(async (_call, response) => {
        for (const byte of bytes) {
          await new Promise((resolve) => response.write(Buffer.of(byte), resolve));
        }
        response.end();
      });
      expect((await caller().call(endpoint.url)).body).to.equal('grün 🎨');
    });

    it('may end with the connection', async () => {
      const server = await caller().raw('HTTP/1.0 200 OK\r\n\r\nuntil the end', 'end');
      expect((await caller().call(server.origin)).body).to.equal('until the end');
    });

    it('is UTF-8 whatever it says, with replacement characters where it is not', async () => {
      const body = Buffer.from([0x61, 0xff, 0xc3, 0xbc]);
      const type = { 'content-type': 'text/plain; charset=iso-8859-1' };
      const endpoint = await caller().endpoint(answer(200, body, type));
      expect((await caller().call(endpoint.url)).body).to.equal('a\ufffdü');
    });

    it('is read without its byte order mark', async () => {
      const endpoint = await caller().endpoint(answer(200, '\ufeff{}'));
      expect((await caller().call(endpoint.url)).body).to.equal('{}');
    });

    for (const interim of ['102 Processing', '103 Early Hints', '199 Odd']) {
      it(`follows an interim ${interim}`, async () => {
        const server = await caller().raw(
          `HTTP/1.1 ${interim}\r\nlink: <a>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi`,
        );
        expect(await caller().call(server.origin)).to.include({ status: 200, body: 'hi' });
      });
    }

    for (const method of ['post', 'get'] as const) {
      // holds: security.unasked-continue
      it(`follows a 100 Continue that nobody asked for, with ${method}`, async () => {
        const interim = 'HTTP/1.1 100 Continue\r\n\r\n';
        const server = await caller().raw(
          `${interim}HTTP/1.1 103 Early Hints\r\n\r\n${interim}HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi`,
        );
        expect(await caller().call(server.origin, { method })).to.include({
          status: 200,
          body: 'hi',
        });
      });
    }

    // holds: security.unasked-continue
    it('follows a 100 Continue in pieces, and again over the same connection', async () => {
      const whole = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi';
      const server = await caller().speaking((socket) => {
        const speak = async (): Promise<void> => {
          for (const byte of whole) {
            await new Promise((resolve) => socket.write(byte, resolve));
            await setImmediate();
          }
        };
        void speak();
        socket.on('data', () => void speak());
      });
      for (let turn = 0; turn < 3; turn += 1) {
        expect((await caller().call(server.origin)).body).to.equal('hi');
      }
    });

    it('may follow 20 interim answers', async () => {
      const server = await caller().raw(
        `${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(20)}HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi`,
      );
      expect((await caller().call(server.origin)).body).to.equal('hi');
    });
  });
}
