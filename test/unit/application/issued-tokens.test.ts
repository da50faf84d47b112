import { expect } from 'chai';
import { memoryCollection } from '../../../src/adapters/outbound/memory/ports/memory-collection.ts';
import { memoryTokenUses } from '../../../src/adapters/outbound/memory/ports/memory-token-uses.ts';
import { StoreRecords } from '../../../src/adapters/outbound/memory/records/store-records.ts';
import {
  ACCESS_TOKENS,
  type KeptAccessTokens,
} from '../../../src/application/kept/access-tokens.ts';
import type { TokenUsePort } from '../../../src/application/ports/token-use-port.ts';
import { Rounds } from '../../../src/application/running/rounds.ts';
import { IssuedTokens, type TokenStores } from '../../../src/application/access/issued-tokens.ts';
import type { AccessToken } from '../../../src/domain/access/access-token.ts';
import { isStoreUnavailable, storeUnavailable } from '../../../src/domain/errors.ts';
import { IpNetworks } from '../../../src/infrastructure/ip-networks.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { rejection } from '../../support/rejection.ts';
import { silentLogger } from '../../support/silent-logger.ts';

const ADDRESS = '127.0.0.1';

function tokenNamed(id: string): AccessToken {
  return {
    id,
    name: id,
    hint: '',
    secrets: [{ sha256: `digest of ${id}`, until: null }],
    rights: ['read'],
    queues: null,
    expires: null,
    addresses: null,
    createdAt: 1,
    createdBy: 'environment:1',
  };
}

interface Store extends KeptAccessTokens {
  readonly uses: TokenUsePort;
  isAway: boolean;
  reads: number;
  tokensRead: number;
}

/** A store that can be away, and counts how often it is asked. */
function storeInTest(): Store {
  const records = new StoreRecords();
  const kept = memoryCollection(records, ACCESS_TOKENS);
  const store: Store = {
    ...kept,
    uses: memoryTokenUses(records),
    isAway: false,
    reads: 0,
    tokensRead: 0,
    changedSince: async (version) => {
      store.reads += 1;
      if (store.isAway) throw storeUnavailable(new Error('away'));
      const changes = await kept.changedSince(version);
      store.tokensRead += changes?.records.size ?? 0;
      return changes;
    },
  };
  return store;
}

function storesOf(store: Store): TokenStores {
  return { accessTokens: store, tokenUses: store.uses };
}

describe('The tokens in force on a replica', () => {
  let clock: FakeClock;
  let store: Store;
  let tokens: IssuedTokens;
  let rounds: Rounds;

  beforeEach(async () => {
    clock = new FakeClock();
    store = storeInTest();
    tokens = new IssuedTokens(storesOf(store), { all: [] }, new IpNetworks(), clock, silentLogger);
    await store.put('shop', () => tokenNamed('shop'));
    rounds = new Rounds(tokens, clock, silentLogger);
    await rounds.start();
    await clock.advance(0);
  });
  afterEach(() => rounds.stop());

  const nameOf = async (id: string): Promise<string | undefined> =>
    (await tokens.callerOf(`digest of ${id}`, ADDRESS))?.name;

  it('cost the store nothing once they are known', () => {
    const { reads } = store;
    for (let use = 0; use < 1000; use += 1) {
      expect(tokens.callerOf('digest of shop', ADDRESS)).to.include({ name: 'shop' });
    }
    expect(store.reads).to.equal(reads);
  });

  it('are found when another replica has just created them', async () => {
    await store.put('new', () => tokenNamed('new'));
    expect(await nameOf('new')).to.equal('new');
  });

  // holds: tokens.bounds
  it('read one token when one changes, and keep the callers of the others', async () => {
    for (const id of ['one', 'two', 'three']) await store.put(id, () => tokenNamed(id));
    await tokens.changed();
    const [shop, read] = [tokens.callerOf('digest of shop', ADDRESS), store.tokensRead];
    await store.put('two', () => ({ ...tokenNamed('two'), name: 'second' }));
    await clock.advance(500);
    expect(store.tokensRead - read).to.equal(1);
    expect(await nameOf('two')).to.equal('second');
    expect(tokens.callerOf('digest of shop', ADDRESS)).to.equal(shop);
  });

  // holds: tokens.revoke
  it('end with their streams within half a second', async () => {
    const ended: string[] = [];
    const shop = { id: 'shop', secret: 'digest of shop' };
    tokens.watch(shop, () => ended.push('shop'));
    const stop = tokens.watch(shop, () => ended.push('left'));
    stop();
    await store.remove('shop');
    await clock.advance(500);
    expect(ended).to.deep.equal(['shop']);
    expect(tokens.isInForce(shop)).to.equal(false);
    expect(await nameOf('shop')).to.equal(undefined);
  });

  // holds: tokens.revoke
  it('end within half a second when they were created while the store was first read', async () => {
    const early = storeInTest();
    const read = early.changedSince.bind(early);
    early.changedSince = async (version) => {
      if (version !== undefined) return read(version);
      await early.put('first', () => tokenNamed('first'));
      const records = new Map([['first', tokenNamed('first')]]);
      return { version: '', records, removed: undefined };
    };
    tokens = new IssuedTokens(storesOf(early), { all: [] }, new IpNetworks(), clock, silentLogger);
    const repeated = new Rounds(tokens, clock, silentLogger);
    await repeated.start();
    await clock.advance(0);
    expect(await nameOf('first')).to.equal('first');
    await early.remove('first');
    await clock.advance(500);
    expect(await nameOf('first')).to.equal(undefined);
    await repeated.stop();
  });

  it('end with their streams when they expire', async () => {
    await store.put('shop', () => ({ ...tokenNamed('shop'), expires: clock.now() + 2000 }));
    let isEnded = false;
    tokens.watch({ id: 'shop', secret: undefined }, () => (isEnded = true));
    await clock.advance(1999);
    expect(isEnded).to.equal(false);
    await clock.advance(501);
    expect(isEnded).to.equal(true);
  });

  // holds: tokens.rotate
  it('end, with their streams, once the overlap of a rotated secret is over', async () => {
    const until = clock.now() + 2000;
    const secrets = [
      { sha256: 'digest of next', until: null },
      { sha256: 'digest of shop', until },
    ];
    await store.put('shop', () => ({ ...tokenNamed('shop'), secrets }));
    const ended: string[] = [];
    for (const secret of ['digest of shop', 'digest of next']) {
      tokens.watch({ id: 'shop', secret }, () => ended.push(secret));
    }
    await clock.advance(1999);
    expect(ended).to.deep.equal([]);
    await clock.advance(501);
    expect(ended).to.deep.equal(['digest of shop']);
    expect(tokens.isInForce({ id: 'shop', secret: 'digest of shop' })).to.equal(false);
  });

  // holds: tokens.outage
  it('work for a minute while the store is away, and unknown ones are not refused for good', async () => {
    store.isAway = true;
    await clock.advance(59_000);
    expect(await nameOf('shop')).to.equal('shop');
    expect(await rejection(nameOf('unknown'))).to.satisfy(isStoreUnavailable);
    await clock.advance(2000);
    expect(await rejection(nameOf('shop'))).to.satisfy(isStoreUnavailable);
    store.isAway = false;
    expect(await nameOf('shop')).to.equal('shop');
    expect(await nameOf('unknown')).to.equal(undefined);
  });

  // holds: tokens.list
  it('have their uses written within a minute, and at shutdown', async () => {
    await nameOf('shop');
    const at = clock.now();
    await clock.advance(31_000);
    expect(await store.uses.of(['shop'])).to.deep.equal(
      new Map([['shop', { id: 'shop', at, address: ADDRESS }]]),
    );
    await nameOf('shop');
    await rounds.stop();
    expect((await store.uses.of(['shop'])).get('shop')?.at).to.equal(clock.now());
  });
});
