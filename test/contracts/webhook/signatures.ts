import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { ENDPOINT_BODIES, ENDPOINT_METHODS } from '../../../src/domain/calls/endpoint.ts';
import type { SigningSecrets } from '../../../src/domain/calls/signing.ts';
import type { EndpointCall } from '../../support/endpoint-server.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { JOB, type CallOptions, type WebhookCaller } from '../webhook-caller.ts';

const [CURRENT, FORMER, OTHER] = ['a', 'b', 'c'].map(
  (byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`,
) as [string, string, string];

const HOUR = 3_600_000;

function signedWith(secrets: SigningSecrets): CallOptions {
  return { signing: true, secrets };
}

/** Whether the public library takes the call for genuine. */
function isGenuine({ text, headers }: Pick<EndpointCall, 'text' | 'headers'>, secret: string) {
  try {
    new Webhook(secret).verify(text, headers as Record<string, string>, { jsonParse: false });
    return true;
  } catch {
    return false;
  }
}

export function describeSignatures(caller: () => WebhookCaller): void {
  describe('the signature', () => {
    for (const method of ENDPOINT_METHODS) {
      // holds: signing.verified
      it(`is that of Standard Webhooks, whatever the body is, with ${method}`, async () => {
        const endpoint = await caller().endpoint();
        const secrets = { current: CURRENT, former: [] };
        for (const body of ENDPOINT_BODIES) {
          for (const data of [JOB.data, 'grün 🎨', '']) {
            const options = { ...signedWith(secrets), method, body, job: { ...JOB, data } };
            await caller().call(endpoint.url, options);
            const call = await endpoint.nextCall();
            expect(isGenuine(call, CURRENT)).to.equal(true);
            expect(isGenuine(call, OTHER)).to.equal(false);
            expect(isGenuine({ text: `${call.text} `, headers: call.headers }, CURRENT)).to.equal(
              false,
            );
          }
        }
      });
    }

    // holds: signing.id
    it('has an id for each job, the same over its attempts, and the time of the attempt', async () => {
      const endpoint = await caller().endpoint();
      const ids: unknown[] = [];
      for (const job of [
        JOB,
        { ...JOB, attemptsMade: 1, data: 'changed' },
        { ...JOB, id: '8' },
        { ...JOB, queue: queueNamed('print') },
        { ...JOB, timestamp: JOB.timestamp + 1 },
        { ...JOB, id: `a.b","${'x'.repeat(300)}` },
      ]) {
        const before = Math.floor(Date.now() / 1000);
        await caller().call(endpoint.url, {
          ...signedWith({ current: CURRENT, former: [] }),
          job,
        });
        const { headers } = await endpoint.nextCall();
        ids.push(headers['webhook-id']);
        expect(headers['webhook-id']).to.match(/^msg_[\w-]{20,64}$/);
        expect(headers['webhook-timestamp']).to.match(/^\d+$/);
        const after = Math.floor(Date.now() / 1000);
        expect(Number(headers['webhook-timestamp'])).to.be.within(before, after);
      }
      const [first, again, ...others] = ids;
      expect(again).to.equal(first);
      expect(new Set([first, ...others])).to.have.lengthOf(5);
    });

    // holds: signing.rotation
    it('is made with every secret that is still good', async () => {
      const endpoint = await caller().endpoint();
      for (const [until, isGood] of [
        [Date.now() + HOUR, true],
        [Date.now() - 1, false],
      ] as const) {
        const secrets = { current: CURRENT, former: [{ secret: FORMER, until }] };
        await caller().call(endpoint.url, signedWith(secrets));
        const call = await endpoint.nextCall();
        expect(isGenuine(call, CURRENT)).to.equal(true);
        expect(isGenuine(call, FORMER)).to.equal(isGood);
        const one = 'v1,[A-Za-z0-9+/]{43}=';
        const form = new RegExp(isGood ? `^${one} ${one}$` : `^${one}$`);
        expect(call.headers['webhook-signature']).to.match(form);
      }
    });

    it('is not there unless it is asked for', async () => {
      const endpoint = await caller().endpoint();
      await caller().call(endpoint.url);
      expect((await endpoint.nextCall()).headers).not.to.have.any.keys(
        'webhook-id',
        'webhook-timestamp',
        'webhook-signature',
      );
    });
  });
}
