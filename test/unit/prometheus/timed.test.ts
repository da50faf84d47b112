import { expect } from 'chai';
import { StoreTimer } from '../../../src/adapters/outbound/prometheus/store-timer.ts';
import { timed } from '../../../src/adapters/outbound/prometheus/timed.ts';
import { collected } from '../../support/collected.ts';
import { rejection } from '../../support/rejection.ts';

class Shelf {
  readonly #books = ['Dune'];

  find(at: number): Promise<string> {
    const book = this.#books[at];
    return book === undefined ? Promise.reject(new Error('No such book')) : Promise.resolve(book);
  }

  waitForMore(): Promise<void> {
    return Promise.resolve();
  }

  async *all(): AsyncGenerator<readonly string[]> {
    yield this.#books;
    await Promise.resolve();
  }

  sort(): Promise<number> {
    return Promise.resolve(this.#books.length);
  }
}

describe('timed', () => {
  let timer: StoreTimer;
  let shelf: Shelf;

  beforeEach(() => {
    timer = new StoreTimer();
    shelf = timed<Shelf>(
      new Shelf(),
      {
        find: 'reads job',
        waitForMore: 'waits',
        all: 'streams store',
        sort: { is: 'changes', isLong: true },
      },
      timer,
    );
  });

  const calls = (): number | undefined => timer.metric.samples().at(-1)?.value;

  it('times methods, even when they fail', async () => {
    expect(await shelf.find(0)).to.equal('Dune');
    expect((await rejection(shelf.find(1))).message).to.equal('No such book');
    expect(calls()).to.equal(2);
  });

  it('does not time waits, lists in pieces and what takes as long as there is much', async () => {
    await shelf.waitForMore();
    expect(await collected(shelf.all())).to.deep.equal(['Dune']);
    expect(await shelf.sort()).to.equal(1);
    expect(calls()).to.equal(0);
  });
});
