import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import { answer } from '../../support/endpoint-server.ts';
import { MAX_RESPONSE_SIZE, type WebhookCaller } from '../webhook-caller.ts';

/** Sends for as long as anybody listens. */
function endless(status: number): (call: unknown, response: ServerResponse) => void {
  return (_call, response) => {
    response.writeHead(status);
    const send = () => {
      while (response.write('x'.repeat(16_384)) && !response.destroyed);
    };
    response.on('drain', send);
    send();
  };
}

/** Says the same again and again, as fast as it is taken. */
function again(text: string, beginning = ''): (socket: Socket) => void {
  return (socket) => {
    const send = (): void => {
      while (!socket.destroyed && socket.write(text));
    };
    socket.on('drain', send).write(beginning);
    send();
  };
}

export function describeSize(caller: () => WebhookCaller): void {
  describe('the size of an answer', () => {
    it('may be the limit', async () => {
      const body = 'x'.repeat(MAX_RESPONSE_SIZE);
      const endpoint = await caller().endpoint(answer(200, body));
      expect((await caller().call(endpoint.url)).body).to.equal(body);
    });

    for (const method of ['post', 'get'] as const) {
      // holds: delivery.max-size
      it(`fails the call beyond the limit, with ${method}`, async () => {
        const body = 'x'.repeat(MAX_RESPONSE_SIZE + 1);
        const endpoint = await caller().endpoint(answer(200, body));
        const failure = await caller().failure(endpoint.url, { method });
        expect(failure).to.equal(`Endpoint answer exceeds ${MAX_RESPONSE_SIZE} bytes`);
      });

      it(`may be without end: the connection is dropped, with ${method}`, async () => {
        const endpoint = await caller().endpoint(endless(200));
        const failure = await caller().failure(endpoint.url, { method });
        expect(failure).to.equal(`Endpoint answer exceeds ${MAX_RESPONSE_SIZE} bytes`);
        expect(await (await endpoint.nextCall()).answered).to.equal(false);
      });

      it(`cuts the answer of a failed attempt at the limit, with ${method}`, async () => {
        const endpoint = await caller().endpoint(endless(500));
        const { status, body } = await caller().call(endpoint.url, { method });
        expect(status).to.equal(500);
        expect(body).to.equal('x'.repeat(MAX_RESPONSE_SIZE));
        expect(await (await endpoint.nextCall()).answered).to.equal(false);
      });
    }

    for (const [status, success] of [
      [404, ['404']],
      [299, ['200-299']],
    ] as const) {
      // holds: calls.success
      it(`fails the call beyond the limit for ${status}, which completes a job here`, async () => {
        const endpoint = await caller().endpoint(endless(status));
        const failure = await caller().failure(endpoint.url, { success });
        expect(failure).to.equal(`Endpoint answer exceeds ${MAX_RESPONSE_SIZE} bytes`);
      });
    }

    // holds: calls.success
    it('is cut for a status that completes no job here', async () => {
      const endpoint = await caller().endpoint(endless(200));
      const { status, body } = await caller().call(endpoint.url, { success: ['201-299'] });
      expect(status).to.equal(200);
      expect(body).to.equal('x'.repeat(MAX_RESPONSE_SIZE));
    });

    it('leaves the adapter usable', async () => {
      const endpoint = await caller().endpoint(endless(200));
      await caller().failure(endpoint.url);
      endpoint.respond = answer(200, 'fine');
      expect((await caller().call(endpoint.url)).body).to.equal('fine');
    });

    // holds: security.beside-the-answer
    it('counts for headers, too', async () => {
      const server = await caller().raw(`HTTP/1.1 200 OK\r\nx-a: ${'a'.repeat(40_000)}\r\n\r\n`);
      const failure = await caller().failure(server.origin);
      expect(failure).to.equal(`HPE_HEADER_OVERFLOW ${server.origin}`);
      await server.nextClose();
    });

    for (const method of ['post', 'get'] as const) {
      // holds: security.beside-the-answer
      it(`bounds the interim answers before it, with ${method}`, async () => {
        const server = await caller().speaking(
          again('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'),
        );
        const failure = await caller().failure(server.origin, { method });
        expect(failure).to.equal(`TOO_MANY_INTERIM_ANSWERS ${server.origin}`);
        await server.nextClose();
      });

      // holds: security.beside-the-answer
      it(`bounds what its chunks say besides, with ${method}`, async () => {
        const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
        const chunk = `1;${'x'.repeat(10_000)}\r\n.\r\n`;
        const server = await caller().speaking(again(chunk, head));
        const failure = await caller().failure(server.origin, { method });
        expect(failure).to.equal(`TOO_MANY_BYTES ${server.origin}`);
        await server.nextClose();
      });

      it(`may come in chunks of one byte, over a connection used before, with ${method}`, async () => {
        const body = 'x'.repeat(MAX_RESPONSE_SIZE);
        const chunked =
          'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n' +
          `${'1\r\nx\r\n'.repeat(MAX_RESPONSE_SIZE)}0\r\n\r\n`;
        const server = await caller().speaking((socket) => {
          socket.write(chunked);
          socket.on('data', () => socket.write(chunked));
        });
        for (let turn = 0; turn < 3; turn += 1) {
          expect((await caller().call(server.origin, { method })).body).to.equal(body);
        }
      });
    }
  });
}
