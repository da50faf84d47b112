import { expect } from 'chai';
import type { GroupStanding } from '../../../src/domain/groups/group.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import { MOST_SORTED, type GroupsQuery } from '../../../src/domain/groups/groups-query.ts';
import { GroupLists } from '../../../src/application/groups/group-lists.ts';

const QUEUE = 'mail' as QueueName;
const ALL: GroupsQuery = { start: 0, length: 10, sort: 'id', state: undefined, id: undefined };
const HERE = new AbortController().signal;

function group(id: string, waiting = 1): GroupStanding {
  return {
    id,
    waiting,
    active: 0,
    delayed: 0,
    waitingSince: 0,
    share: 0,
    paused: false,
    heldUntil: null,
    blocked: null,
    settings: null,
  };
}

/** Groups that are read piece by piece, when the test lets them be read. */
class Reading {
  started = 0;
  pieces = 0;
  ended = 0;
  readonly #gates: (() => void)[] = [];
  readonly #waiters: (() => void)[] = [];

  readonly read = async function* (this: Reading): AsyncGenerator<readonly GroupStanding[]> {
    this.started += 1;
    try {
      for (const piece of [[group('a', 1), group('b', 3)], [group('c', 2)]]) {
        await new Promise<void>((resolve) => {
          this.#gates.push(resolve);
          this.#waiters.shift()?.();
        });
        this.pieces += 1;
        yield piece;
      }
    } finally {
      this.ended += 1;
    }
  }.bind(this);

  /** Lets the next piece be read as soon as a reading waits for it. */
  async letRead(): Promise<void> {
    if (this.#gates.length === 0) {
      await new Promise<void>((resolve) => {
        this.#waiters.push(resolve);
      });
    }
    this.#gates.shift()?.();
  }
}

describe('the lists of groups', () => {
  let reading: Reading;
  let lists: GroupLists;

  beforeEach(() => {
    reading = new Reading();
    lists = new GroupLists(reading.read);
  });

  const idsOf = async (query: Partial<GroupsQuery>, gone = HERE): Promise<string> => {
    const { total, groups } = await lists.list(QUEUE, { ...ALL, ...query }, gone);
    return `${groups.map(({ id }) => id).join('')} of ${total}`;
  };

  // holds: groups.list
  it('come from one reading for all who ask at the same time, whatever they ask for', async () => {
    const asked = Promise.all([
      idsOf({}),
      idsOf({}),
      idsOf({ sort: 'waiting' }),
      idsOf({ start: 1, length: 1 }),
      idsOf({ start: 1, length: 1, sort: 'waiting' }),
      idsOf({ id: '*c' }),
      idsOf({ state: 'paused' }),
    ]);
    await reading.letRead();
    await reading.letRead();
    expect(await asked).to.deep.equal([
      'abc of 3',
      'abc of 3',
      'bca of 3',
      'b of 3',
      'c of 3',
      'c of 1',
      ' of 0',
    ]);
    expect(reading.started).to.equal(1);
  });

  // holds: groups.list
  it('come from a later reading for those who ask while groups are read', async () => {
    const first = idsOf({});
    await reading.letRead();
    const later = [idsOf({}), idsOf({ sort: 'waiting' })];
    await reading.letRead();
    expect(await first).to.equal('abc of 3');
    await reading.letRead();
    await reading.letRead();
    expect(await Promise.all(later)).to.deep.equal(['abc of 3', 'bca of 3']);
    expect(reading.started).to.equal(2);
  });

  // holds: groups.list
  it('are read no further once nobody waits for them', async () => {
    const clients = [new AbortController(), new AbortController()];
    const asked = clients.map(({ signal }) => idsOf({}, signal).catch(() => 'left'));
    const waiting = new AbortController();
    await reading.letRead();
    const later = idsOf({}, waiting.signal).catch(() => 'left');
    for (const client of [...clients, waiting]) client.abort();
    expect(await Promise.all([...asked, later])).to.deep.equal(['left', 'left', 'left']);
    expect(reading).to.include({ started: 1, pieces: 1, ended: 1 });
  });

  // holds: groups.list
  it('are read on for one who stays when others leave', async () => {
    const client = new AbortController();
    const left = idsOf({}, client.signal);
    const stays = idsOf({ id: 'a' });
    await reading.letRead();
    client.abort();
    await reading.letRead();
    expect(await stays).to.equal('a of 1');
    await left;
  });

  // holds: groups.list
  it('serve a bounded number of different lists by one reading', async () => {
    const asked = Promise.all(Array.from({ length: 30 }, (_, start) => idsOf({ start })));
    for (let piece = 0; piece < 4; piece += 1) await reading.letRead();
    expect((await asked).slice(0, 4)).to.deep.equal(['abc of 3', 'bc of 3', 'c of 3', ' of 3']);
    expect(reading.started).to.equal(2);
  });

  it('fail together when the groups cannot be read', async () => {
    // eslint-disable-next-line require-yield -- it fails before it has a piece
    const failing = new GroupLists(async function* () {
      await Promise.resolve();
      throw new Error('away');
    });
    const asked = [failing.list(QUEUE, ALL, HERE), failing.list(QUEUE, ALL, HERE)];
    const messages = await Promise.all(asked.map((list) => list.catch(String)));
    expect(messages).to.deep.equal(['Error: away', 'Error: away']);
  });

  it('keep no more groups than a page needs', async () => {
    const many = Array.from({ length: MOST_SORTED + 1 }, (_, each) => group(String(each), each));
    const sorted = new GroupLists(async function* () {
      await Promise.resolve();
      yield many;
    });
    const last = { ...ALL, sort: 'waiting', start: MOST_SORTED - 1, length: 1 } as const;
    const { total, groups } = await sorted.list(QUEUE, last, HERE);
    expect([total, groups.map(({ id }) => id)]).to.deep.equal([MOST_SORTED + 1, ['1']]);
  });
});
