import { expect } from 'chai';
import { RightsLookups } from '../../../src/application/access/rights-lookups.ts';
import type { Identity } from '../../../src/application/ports/identity-provider-port.ts';
import { SESSION_LIFE, type Session } from '../../../src/domain/access/session.ts';
import { RandomAccessSecrets } from '../../../src/infrastructure/random-access-secrets.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { silentLogger } from '../../support/silent-logger.ts';
import { serviceStore } from '../../integration/http/support/service-store.ts';

const ISSUER = 'https://id.example';
const COOKIE = 'cookie';
const secrets = new RandomAccessSecrets();

describe('lookups of rights over replicas', () => {
  let clock: FakeClock;
  let store: ReturnType<typeof serviceStore>['ports']['sessions'];
  let sent: string[];
  let answer: (() => void) | undefined;

  beforeEach(() => {
    clock = new FakeClock();
    store = serviceStore('memory', clock).ports.sessions;
    sent = [];
    answer = undefined;
  });

  const identity: Identity = {
    ...{ subject: 'ada', claims: { groups: 'ops' } },
    ...{ refreshToken: 'second', expiresIn: 300_000 },
  };

  /** A replica whose issuer answers once the test says so. */
  const replica = (): RightsLookups =>
    new RightsLookups({
      provider: {
        settings: {
          issuer: ISSUER,
          scopes: ['openid'],
          rules: [{ claims: { groups: 'ops' }, name: 'ops', rights: ['read'] }],
        },
        begin: () => Promise.reject(new Error('Nobody begins')),
        finish: () => Promise.reject(new Error('Nobody comes back')),
        lookUp: (refreshToken) => {
          sent.push(refreshToken);
          return new Promise((resolve) => (answer = () => resolve(identity)));
        },
        endUrl: () => Promise.resolve(null),
      },
      ...{ store, secrets, clock, logger: silentLogger },
    });

  const opened = async (): Promise<Session> => {
    const now = clock.now();
    const access = { name: 'old', rights: ['admin'] as const, queues: null, until: now + 900_000 };
    const lookup = { refreshToken: secrets.seal(COOKIE, 'first'), at: now };
    const session = {
      ...{ id: 'one', sha256: 'digest', holder: 'ada', address: '::1' },
      ...{ createdAt: now, lastSeenAt: now },
      signIn: { issuer: ISSUER, subject: 'ada', ...access, lookup },
    };
    await store.create(session, SESSION_LIFE, 10);
    return session;
  };

  // holds: sign-in.lookup
  it('are made by one of them, for whose end the others wait', async () => {
    const session = await opened();
    const waiting = [replica(), replica(), replica()].flatMap((each) => [
      each.current(session, COOKIE),
      each.current(session, COOKIE),
    ]);
    await clock.advance(1000);
    expect(sent).to.deep.equal(['first']);
    answer!();
    await clock.advance(1000);
    const names = (await Promise.all(waiting)).map((each) => each?.signIn?.name);
    expect(new Set(names)).to.deep.equal(new Set(['ops']));
    const kept = (await store.find('digest'))!.signIn!;
    expect(secrets.unseal(COOKIE, kept.lookup!.refreshToken)).to.equal('second');
    expect(kept.lookup).to.deep.include({ at: clock.now() - 1000 + 300_000 });
  });

  // holds: sign-in.lookup
  it('are begun again by another one when theirs has died', async () => {
    const session = await opened();
    void replica().current(session, COOKIE);
    await clock.advance(1);
    answer = undefined;
    const other = replica().current(session, COOKIE);
    await clock.advance(19_000);
    expect(sent).to.deep.equal(['first']);
    await clock.advance(2000);
    expect(sent).to.deep.equal(['first', 'first']);
    answer!();
    expect((await other)?.signIn?.name).to.equal('ops');
  });

  // holds: sign-in.lookup
  it('lose no use of the session that another replica records in the meantime', async () => {
    const session = await opened();
    const waiting = replica().current(session, COOKIE);
    await clock.advance(1);
    await store.change('digest', (begun) => ({ ...begun, address: '::2' }));
    answer!();
    expect(await waiting).to.deep.include({ address: '::2' });
    expect(await store.find('digest')).to.deep.equal(await waiting);
  });

  // holds: sign-in.sealed
  it('need the cookie of the session', async () => {
    const session = await opened();
    expect(await replica().current(session, 'other')).to.equal(undefined);
    expect(sent).to.deep.equal([]);
  });
});
