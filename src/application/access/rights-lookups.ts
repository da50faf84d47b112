import { accessBy } from '../../domain/access/admission.ts';
import type { Session } from '../../domain/access/session.ts';
import { nextLookup, type SignedIn } from '../../domain/access/sign-in.ts';
import { DomainError } from '../../domain/errors.ts';
import { keptOrMade } from '../../domain/values/kept-or-made.ts';
import type { CommonPorts } from '../ports/common-ports.ts';
import type { AccessSecretPort } from '../ports/access-secret-port.ts';
import type { Identity, IdentityProviderPort } from '../ports/identity-provider-port.ts';
import type { SessionStorePort } from '../ports/session-store-port.ts';

/** After how long (ms) a lookup is begun again whose replica has died, and how often (ms) others check for its end. */
const LONGEST_LOOKUP = 20_000;
const CHECK_INTERVAL = 200;

type Vouched = Pick<Identity, 'refreshToken' | 'expiresIn'>;

/** An answer for an issuer that is away: the rights are looked up again after a minute, with the same token. */
const AWAY: Vouched = { expiresIn: 60_000 };

export interface RightsLookupsDependencies extends Pick<CommonPorts, 'clock' | 'logger'> {
  readonly provider: IdentityProviderPort | undefined;
  readonly store: SessionStorePort;
  readonly secrets: Pick<AccessSecretPort, 'unseal' | 'seal'>;
}

/**
 * Looks up the rights of people again, once for all requests and all replicas (further contract, section 25): a refresh
 * token can be used once.
 */
export class RightsLookups {
  readonly #dependencies: RightsLookupsDependencies;
  readonly #running = new Map<string, Promise<Session | undefined>>();

  constructor(dependencies: RightsLookupsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * The session with the rights that the person has now; undefined when it has ended.
   *
   * @param cookie the value of its cookie, which opens the refresh token.
   * @throws DomainError `store-unavailable`.
   */
  current(session: Session, cookie: string): Promise<Session | undefined> {
    if (!this.isDue(session)) return Promise.resolve(session);
    return keptOrMade(this.#running, session.sha256, (sha256) =>
      this.#lookUp(session, cookie).finally(() => this.#running.delete(sha256)),
    );
  }

  /** Whether the rights have to be looked up before they are used again. */
  isDue({ signIn }: Session): boolean {
    return this.#dependencies.clock.now() >= (signIn?.lookup?.at ?? Infinity);
  }

  /**
   * The sign-in with its next lookup, once the issuer has vouched for the person; without one as long as it gave no
   * refresh token, of which the last counts.
   *
   * @param cookie the value of the cookie of the session.
   */
  withNext(signIn: SignedIn, { refreshToken, expiresIn }: Vouched, cookie: string): SignedIn {
    const { secrets, clock } = this.#dependencies;
    const sealed =
      refreshToken === undefined ? signIn.lookup?.refreshToken : secrets.seal(cookie, refreshToken);
    if (sealed === undefined) return signIn;
    return { ...signIn, lookup: { refreshToken: sealed, at: nextLookup(clock.now(), expiresIn) } };
  }

  async #lookUp({ sha256 }: Session, cookie: string): Promise<Session | undefined> {
    const { store, clock } = this.#dependencies;
    for (;;) {
      let begun = undefined as Session | undefined;
      const latest = await store.change(sha256, (session) => (begun = this.#begun(session)));
      if (begun !== undefined) return this.#ended(begun, cookie);
      if (latest === undefined || !this.isDue(latest)) return latest;
      await clock.sleep(CHECK_INTERVAL);
    }
  }

  /** The session with a lookup that begins now; undefined unless one is due, and no replica is at it. */
  #begun(session: Session): Session | undefined {
    const { signIn } = session;
    const since = this.#dependencies.clock.now();
    if (signIn?.lookup === undefined) return undefined;
    const { at, since: earlier = -Infinity } = signIn.lookup;
    if (since < at || since - earlier < LONGEST_LOOKUP) return undefined;
    return { ...session, signIn: { ...signIn, lookup: { ...signIn.lookup, since } } };
  }

  async #ended(begun: Session, cookie: string): Promise<Session | undefined> {
    const { store } = this.#dependencies;
    const signIn = begun.signIn && (await this.#next(begun.signIn, cookie));
    // Another replica may have recorded a use in the meantime.
    if (signIn !== undefined) return store.change(begun.sha256, (each) => ({ ...each, signIn }));
    await store.remove(begun);
    return undefined;
  }

  /** Undefined when the person may not stay. */
  async #next(signIn: SignedIn, cookie: string): Promise<SignedIn | undefined> {
    const { provider, secrets, logger } = this.#dependencies;
    const { issuer, subject, lookup } = signIn;
    if (lookup === undefined || provider?.settings.issuer !== issuer) return undefined;
    const refreshToken = secrets.unseal(cookie, lookup.refreshToken);
    if (refreshToken === undefined) return undefined;
    try {
      const identity = await provider.lookUp(refreshToken, subject);
      const access = accessBy(provider.settings.rules, identity.claims);
      if (access === undefined) throw new DomainError('forbidden', 'No rule matches any more');
      return this.withNext({ ...signIn, ...access }, identity, cookie);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (error.code === 'issuer-unavailable') return this.withNext(signIn, AWAY, cookie);
      logger.info('The sign-in of a person has ended', { issuer, subject, error });
      return undefined;
    }
  }
}
