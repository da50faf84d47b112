import { expect } from 'chai';
import { type Certificate, selfSignedCertificate } from '../../support/certificate.ts';
import { answer, EndpointServer } from '../../support/endpoint-server.ts';
import type { WebhookCaller } from '../webhook-caller.ts';

const VARIABLE = 'NODE_TLS_REJECT_UNAUTHORIZED';

export function describeTls(caller: () => WebhookCaller): void {
  describe('an https endpoint', () => {
    let certificate: Certificate;
    let endpoint: EndpointServer;

    before(async () => {
      certificate = await selfSignedCertificate();
    });

    beforeEach(async () => {
      endpoint = caller().own(await EndpointServer.start(answer(200, 'safe'), certificate));
    });

    for (const method of ['post', 'get'] as const) {
      it(`gets nothing when its certificate is not trusted, with ${method}`, async () => {
        const failure = await caller().failure(endpoint.url, { method });
        expect(failure).to.equal(`DEPTH_ZERO_SELF_SIGNED_CERT ${endpoint.origin}`);
        expect(endpoint.calls).to.have.lengthOf(0);
      });
    }

    it('is called over one connection, as any other', async () => {
      const before = process.env[VARIABLE];
      process.env[VARIABLE] = '0';
      try {
        for (const method of ['post', 'get', 'put'] as const) {
          expect((await caller().call(endpoint.url, { method })).body).to.equal('safe');
        }
      } finally {
        if (before === undefined) Reflect.deleteProperty(process.env, VARIABLE);
        else process.env[VARIABLE] = before;
      }
      expect(new Set(endpoint.calls.map((call) => call.connection)).size).to.equal(1);
    });
  });
}
