import { expect } from 'chai';
import {
  patchScript,
  PINNED_VERSION,
} from '../../../src/adapters/outbound/redis/attempts/script-patch.ts';

const script = { name: 'moveThings', content: 'one two two three', keys: 2 };

describe("patching the library's scripts", () => {
  it('replaces the one place that a patch names', () => {
    const patch = { purpose: 'say four', find: 'three', replace: 'four' };
    expect(patchScript(script, [patch], PINNED_VERSION)).to.deep.equal({
      name: 'moveThings',
      lua: 'one two two four',
      numberOfKeys: 2,
    });
  });

  for (const [find, times] of [
    ['two', 2],
    ['nine', 0],
  ] as const) {
    it(`refuses to start when a patch fits ${times} times`, () => {
      const patch = { purpose: 'count right', find, replace: '' };
      expect(() => patchScript(script, [patch], PINNED_VERSION)).to.throw(
        `the patch "count right" fits the script moveThings ${times} times instead of once`,
      );
    });
  }

  it('refuses to start with another version of the library', () => {
    expect(() => patchScript(script, [], '99.0.0')).to.throw(
      `BullMQ 99.0.0 is installed, but jobgate patches the scripts of ${PINNED_VERSION}`,
    );
  });
});
