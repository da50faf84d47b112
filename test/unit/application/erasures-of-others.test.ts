import { expect } from 'chai';
import { Erasures, type ErasuresDependencies } from '../../../src/application/jobs/erasures.ts';
import type { SignalScope } from '../../../src/application/ports/replica-signals-port.ts';
import { queueNamed } from '../../support/queue-named.ts';

describe('Erasures, while they run', () => {
  // holds: erase.places
  it('forgets the reasons of a queue in which another replica erases, until it is stopped', async () => {
    const forgotten: (string | undefined)[] = [];
    const listeners = new Set<(scope: SignalScope) => void>();
    const erasures = new Erasures({
      signals: {
        listen: (_, each) => {
          listeners.add(each);
          return () => listeners.delete(each);
        },
        send: () => undefined,
      },
      recorders: { forget: (queue) => forgotten.push(queue) },
    } as Partial<ErasuresDependencies> as ErasuresDependencies);
    await erasures.start();
    for (const each of listeners) {
      each({ queue: queueNamed('mail') });
      // Signals may have been missed.
      each({});
    }
    expect(forgotten).to.deep.equal(['mail', undefined]);
    await erasures.stop();
    expect(listeners.size).to.equal(0);
  });
});
