import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Session } from '../../src/domain/access/session.ts';
import type { SignedIn } from '../../src/domain/access/sign-in.ts';
import type { QueueHarness } from './queue-harness.ts';

/** As many sessions as no test opens for a token. */
const MOST = 1000;

function newSession(holder: string = randomUUID()): Session {
  return {
    id: randomUUID(),
    sha256: randomUUID(),
    tokenSha256: 'ab'.repeat(32),
    holder,
    createdAt: 1,
    lastSeenAt: 1,
    address: '127.0.0.1',
  };
}

/** The sign-in of a person, whose rights are looked up at some time. */
function signedIn(at: number): SignedIn {
  const access = { name: 'ops', rights: ['read'] as const, queues: null };
  const lookup = { refreshToken: 'sealed', at };
  return { issuer: 'https://id.example', subject: 'ada', ...access, lookup };
}

/** What every SessionStorePort promises. */
export function describeSessionStorePort(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`SessionStorePort: ${name}`, () => {
    let harness: QueueHarness;

    before(async () => {
      harness = await createHarness();
    });
    after(() => harness.dispose());

    it('finds a session by its digest on every replica', async () => {
      const session = newSession();
      await harness.sessions.create(session, 60_000, MOST);
      const { sessions } = await harness.replica();
      expect(await sessions.find(session.sha256)).to.deep.equal(session);
      expect(await sessions.find(randomUUID())).to.equal(undefined);
    });

    it('lists the sessions of a token and of no other', async () => {
      const [one, other] = [newSession('shop'), newSession('shop')];
      for (const each of [one, other, newSession()])
        await harness.sessions.create(each, 60_000, MOST);
      expect(await harness.sessions.ofHolder('shop')).to.have.deep.members([one, other]);
      expect(await harness.sessions.ofHolder(randomUUID())).to.deep.equal([]);
    });

    // holds: sessions.bounds
    it('ends the oldest session of a token that has too many', async () => {
      const holder = randomUUID();
      const sessions = [3, 1, 2, 4].map((createdAt) => ({ ...newSession(holder), createdAt }));
      const other = newSession();
      await harness.sessions.create(other, 60_000, 3);
      for (const each of [...sessions].sort((one, two) => one.createdAt - two.createdAt)) {
        await harness.sessions.create(each, 60_000, 3);
      }
      const [, oldest] = sessions;
      expect(await harness.sessions.ofHolder(holder)).to.have.deep.members(
        sessions.filter((each) => each !== oldest),
      );
      expect(await harness.sessions.find(oldest!.sha256)).to.equal(undefined);
      expect(await harness.sessions.find(other.sha256)).to.deep.equal(other);
    });

    it('changes a session for the rest of its life, and none that is gone', async () => {
      const [session, gone] = [newSession(), newSession()];
      await harness.sessions.create(session, 60_000, MOST);
      const seen = { ...session, lastSeenAt: 2 };
      expect(await harness.sessions.change(session.sha256, () => seen)).to.deep.equal(seen);
      expect(await harness.sessions.change(session.sha256, () => undefined)).to.deep.equal(seen);
      expect(await harness.sessions.change(gone.sha256, () => gone)).to.equal(undefined);
      expect(await harness.sessions.find(session.sha256)).to.deep.equal(seen);
      expect(await harness.sessions.find(gone.sha256)).to.equal(undefined);
      await harness.advance(60_000);
      expect(await harness.sessions.find(session.sha256)).to.equal(undefined);
      expect(await harness.sessions.ofHolder(session.holder)).to.deep.equal([]);
    });

    // holds: sign-in.lookup
    it('changes a session on one replica after the other, as it was left by the one before', async () => {
      const session = { ...newSession(), signIn: signedIn(1) };
      await harness.sessions.create(session, 60_000, MOST);
      const { sessions } = await harness.replica();
      const changed = await Promise.all(
        [2, 3, 4, 5].map((at) =>
          (at % 2 === 0 ? sessions : harness.sessions).change(session.sha256, (latest) =>
            latest.signIn?.lookup?.at === 1 ? { ...latest, signIn: signedIn(at) } : undefined,
          ),
        ),
      );
      const [first] = changed;
      expect(first?.signIn).to.not.deep.equal(signedIn(1));
      for (const each of changed) expect(each).to.deep.equal(first);
      expect(await harness.sessions.find(session.sha256)).to.deep.equal(first);
    });

    it('removes a session once', async () => {
      const session = newSession();
      await harness.sessions.create(session, 60_000, MOST);
      expect(await harness.sessions.remove(session)).to.equal(true);
      expect(await harness.sessions.remove(session)).to.equal(false);
      expect(await harness.sessions.find(session.sha256)).to.equal(undefined);
      expect(await harness.sessions.ofHolder(session.holder)).to.deep.equal([]);
    });
  });
}
