import { expect } from 'chai';
import { StoreTimer } from '../../../src/adapters/outbound/prometheus/store-timer.ts';
import { timed } from '../../../src/adapters/outbound/prometheus/timed.ts';
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

  count(): number {
    return this.#books.length;
  }
}

describe('timed', () => {
  let timer: StoreTimer;
  let shelf: Shelf;

  beforeEach(() => {
    timer = new StoreTimer();
    shelf = timed<Shelf>(new Shelf(), timer, { find: true, waitForMore: false, count: false });
  });

  const calls = (): number | undefined => timer.metric.samples().at(-1)?.value;

  it('times the chosen methods, even when they fail', async () => {
    expect(await shelf.find(0)).to.equal('Dune');
    expect((await rejection(shelf.find(1))).message).to.equal('No such book');
    expect(calls()).to.equal(2);
  });

  it('passes the other methods through', async () => {
    await shelf.waitForMore();
    expect(shelf.count()).to.equal(1);
    expect(calls()).to.equal(0);
  });
});
