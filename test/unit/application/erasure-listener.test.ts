import { expect } from 'chai';
import { ErasureListener } from '../../../src/application/jobs/erasure-listener.ts';
import type { SignalScope } from '../../../src/application/ports/replica-signals-port.ts';
import { queueNamed } from '../../support/queue-named.ts';

describe('ErasureListener', () => {
  // holds: erase.places
  it('forgets the reasons of a queue in which another replica erases, until it is stopped', async () => {
    const forgotten: (string | undefined)[] = [];
    const listeners = new Set<(scope: SignalScope) => void>();
    const listener = new ErasureListener(
      {
        listen: (_, each) => {
          listeners.add(each);
          return () => listeners.delete(each);
        },
      },
      { forget: (queue) => forgotten.push(queue) },
    );
    await listener.start();
    for (const each of listeners) {
      each({ queue: queueNamed('mail') });
      // Signals may have been missed.
      each({});
    }
    expect(forgotten).to.deep.equal(['mail', undefined]);
    await listener.stop();
    expect(listeners.size).to.equal(0);
  });
});
