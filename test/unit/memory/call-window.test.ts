import { expect } from 'chai';
import { CallWindow } from '../../../src/adapters/outbound/memory/state/call-window.ts';

const LIMITER = { max: 1000, duration: 10_000 };

describe('the window of a limiter in memory', () => {
  const written = (window: CallWindow, changed: ReadonlySet<number>) =>
    new Map([...changed].map((piece) => [piece, window.piece(piece)]));

  const restored = (dropped: number, pieces: ReturnType<typeof written>): CallWindow => {
    const window = new CallWindow(() => undefined);
    window.restoreDropped(dropped);
    const inOrder = [...pieces].sort(([one], [other]) => one - other);
    for (const [number, piece] of inOrder) window.replace(number, piece);
    return window;
  };

  it('opens as an earlier version wrote it, whose starts all cost 1', () => {
    const window = restored(0, new Map([[0, { before: 0, starts: [1000, 1001, 1002] }]]));
    expect(window.counted(LIMITER, 1002)).to.deep.equal({ cost: 3, first: 1000 });
    expect(window.earliest({ ...LIMITER, max: 3 }, 1)).to.equal(1000);
  });

  it('is written in the pieces that changed, with costs where they differ from 1', () => {
    const changed = new Set<number>();
    const window = new CallWindow((piece) => changed.add(piece));
    for (let at = 0; at < 250; at += 1) window.count(LIMITER, { at: 1000 + at, cost: 1 });
    expect(window.piece(1)).to.not.have.property('costs');
    window.correct({ at: 1120, cost: 1 }, 7);
    window.uncount({ at: 1010, cost: 1 });
    window.correct({ at: 5, cost: 1 }, 100);
    window.count(LIMITER, { at: 1300, cost: 0 });
    const again = restored(window.dropped, written(window, changed));
    for (const each of [window, again]) {
      expect(each.counted(LIMITER, 1300)).to.deep.equal({ cost: 255, first: 1000 });
      expect(each.earliest({ ...LIMITER, max: 255 }, 2)).to.equal(1001);
    }
    window.count(LIMITER, { at: 11_621, cost: 2 });
    expect(window.counted(LIMITER, 11_621)).to.deep.equal({ cost: 2, first: 11_621 });
  });
});
