import { expect } from 'chai';
import { WorkInFlight } from '../../../src/application/running/work-in-flight.ts';
import { rejection } from '../../support/rejection.ts';

describe('WorkInFlight', () => {
  let work: WorkInFlight;
  let begun: string[];
  let ends: Map<string, () => void>;

  beforeEach(() => {
    work = new WorkInFlight(10);
    begun = [];
    ends = new Map();
  });

  function run(name: string, size: number): Promise<string> {
    return work.run(size, () => {
      begun.push(name);
      return new Promise((resolve) =>
        ends.set(name, () => {
          resolve(name);
        }),
      );
    });
  }

  async function end(name: string, running: Promise<string>): Promise<void> {
    while (!ends.has(name)) await Promise.resolve();
    ends.get(name)?.();
    expect(await running).to.equal(name);
  }

  it('runs what fits together, and the rest in its order as others end', async () => {
    const [one, other, third, fourth] = [run('a', 4), run('b', 6), run('c', 7), run('d', 1)];
    await Promise.resolve();
    expect(begun).to.deep.equal(['a', 'b']);
    await end('a', one);
    expect(begun, 'c does not fit, and d waits behind it').to.deep.equal(['a', 'b']);
    await end('b', other);
    expect(begun).to.deep.equal(['a', 'b', 'c', 'd']);
    await Promise.all([end('c', third), end('d', fourth)]);
  });

  it('runs alone what is larger than the bound', async () => {
    const [one, large, last] = [run('a', 1), run('large', 50), run('z', 1)];
    await end('a', one);
    expect(begun).to.deep.equal(['a', 'large']);
    await end('large', large);
    await end('z', last);
  });

  it('goes on after a run that fails', async () => {
    const failure = new Error('gone');
    expect(await rejection(work.run(10, () => Promise.reject(failure)))).to.equal(failure);
    const next = run('a', 10);
    await end('a', next);
  });
});
