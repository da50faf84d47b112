import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import sinon from 'sinon';
import { Steps } from '../../../src/adapters/outbound/memory/ports/steps.ts';
import { rejection } from '../../support/rejection.ts';

describe('large requests that come at once', () => {
  // holds: store.large-turns
  it('are in progress one after the other, and refused before they begin when that takes 10 s', async () => {
    const clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const steps = new Steps();
      const begun: string[] = [];
      let end = (): void => undefined;
      const first = steps.staged(() => {
        begun.push('first');
        return new Promise<string>((resolve) => (end = () => resolve('done')));
      });
      const late = rejection(steps.staged(() => Promise.resolve(begun.push('late'))));
      await turn();
      clock.tick(5000);
      const last = steps.staged(() => Promise.resolve(begun.push('last')));
      clock.tick(5000);
      expect(await late).to.include({ code: 'store-unavailable', mayBeStored: false });
      end();
      expect(await first).to.equal('done');
      await last;
      expect(begun).to.deep.equal(['first', 'last']);
    } finally {
      clock.restore();
    }
  });
});
