import { expect } from 'chai';
import { DomainError } from '../../../src/domain/errors.ts';
import {
  checkSecrets,
  FORMER_SECRET_LIFE,
  rotatedWorker,
  signedWorker,
} from '../../../src/domain/calls/signing.ts';
import type { Worker } from '../../../src/domain/workers/worker.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { rejection } from './rejection.ts';

const NOW = 1_700_000_000_000;
const endpoint = { url: 'http://localhost/', method: 'post', signing: true } as const;
const WORKER: Worker = { queue: queueNamed('mail'), endpoint };

function secret(name: number | string): string {
  return `whsec_${Buffer.from(String(name)).toString('base64')}`;
}

describe('signing', () => {
  // holds: signing.secret-once
  it('keeps the secrets of the worker that was registered before', () => {
    const first = signedWorker(WORKER, undefined, secret(1));
    expect(first.endpoint.secrets).to.deep.equal({ current: secret(1), former: [] });
    const again = signedWorker({ ...WORKER, opts: {} }, first, secret(2));
    expect(again).to.deep.equal({ ...first, opts: {} });
    const unsigned = { ...WORKER, endpoint: { url: endpoint.url, method: 'post' } } as const;
    expect(signedWorker(WORKER, unsigned, secret(3)).endpoint.secrets?.current).to.equal(secret(3));
  });

  // holds: signing.rotation
  it('lets a secret sign for 24 hours after a rotation, and then forgets it', () => {
    const first = signedWorker(WORKER, undefined, secret(1));
    const second = rotatedWorker(first, secret(2), NOW)!;
    const until = NOW + 86_400_000;
    expect(second.endpoint.secrets).to.deep.equal({
      current: secret(2),
      former: [{ secret: secret(1), until }],
    });
    const third = rotatedWorker(second, secret(3), until - 1)!;
    expect(third.endpoint.secrets).to.deep.equal({
      current: secret(3),
      former: [
        { secret: secret(2), until: until - 1 + FORMER_SECRET_LIFE },
        { secret: secret(1), until },
      ],
    });
    const late = rotatedWorker(second, secret(3), until)!;
    expect(late.endpoint.secrets?.former.map(({ secret }) => secret)).to.deep.equal([secret(2)]);
  });

  // holds: signing.most-secrets
  it('rotates up to nine times a day, so that each secret signs for its 24 hours', () => {
    let worker = signedWorker(WORKER, undefined, secret(0));
    for (let turn = 1; turn <= 9; turn += 1) {
      worker = rotatedWorker(worker, secret(turn), NOW + turn)!;
    }
    const former = worker.endpoint.secrets!.former.map((each) => each.secret);
    expect(former).to.deep.equal([8, 7, 6, 5, 4, 3, 2, 1, 0].map(secret));
    const firstEnds = NOW + 1 + FORMER_SECRET_LIFE;
    expect(() => rotatedWorker(worker, secret(10), firstEnds - 1))
      .to.throw(DomainError, 'the first of them ends at 2023-11-15T22:13:20.001Z')
      .with.property('code', 'too-many-secrets');
    const next = rotatedWorker(worker, secret(10), firstEnds)!;
    const left = next.endpoint.secrets!.former.map((each) => each.secret);
    expect(left).to.deep.equal([9, 8, 7, 6, 5, 4, 3, 2, 1].map(secret));
  });

  // holds: signing.refused
  it('does not rotate for a worker without secrets', () => {
    expect(rotatedWorker(WORKER, secret(1), NOW)).to.equal(undefined);
  });

  for (const secrets of [
    undefined,
    null,
    {},
    { current: 'plain', former: [] },
    { current: secret(1), former: [{ secret: secret(2) }] },
    { current: secret(1), former: [{ secret: 'plain', until: 1 }] },
  ]) {
    // holds: signing.hidden
    it(`refuses the secrets ${JSON.stringify(secrets)} of a record, and repeats none`, () => {
      const stored = { ...endpoint, secrets } as unknown as Worker['endpoint'];
      const message = rejection(() => {
        checkSecrets(stored);
      });
      expect(message).to.match(/^endpoint\.secrets/);
      expect(message).not.to.match(/whsec|plain/);
    });
  }
});
