import { accessBy } from '../../domain/access/admission.ts';
import type { Session } from '../../domain/access/session.ts';
import {
  LOOKUP_RETRY,
  nextLookup,
  type RightsLookup,
  type SignedIn,
} from '../../domain/access/sign-in.ts';
import { DomainError } from '../../domain/errors.ts';
import type { CommonPorts } from '../ports/common-ports.ts';
import type { AccessSecretPort } from '../ports/access-secret-port.ts';
import type { IdentityProviderPort } from '../ports/identity-provider-port.ts';
import type { SessionStorePort } from '../ports/session-store-port.ts';

/** After how long (ms) a lookup is begun again whose replica has died, and how often (ms) others check for its end. */
const LONGEST_LOOKUP = 20_000;
const CHECK_INTERVAL = 200;

/** The session of a person. */
export interface PersonSession extends Session {
  readonly signIn: SignedIn;
}

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
  readonly #running = new Map<string, Promise<PersonSession | undefined>>();

  constructor(dependencies: RightsLookupsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * The session with the rights that the person has now; undefined when it has ended.
   *
   * @param cookie the value of its cookie, which opens the refresh token.
   * @throws DomainError `store-unavailable`.
   */
  current(session: PersonSession, cookie: string): Promise<PersonSession | undefined> {
    if (!this.isDue(session)) return Promise.resolve(session);
    const { sha256 } = session;
    const running =
      this.#running.get(sha256) ??
      this.#lookUp(session, cookie).finally(() => this.#running.delete(sha256));
    this.#running.set(sha256, running);
    return running;
  }

  /** Whether the rights have to be looked up before they are used again, or the session has ended. */
  isDue({ signIn: { lookup, until } }: PersonSession): boolean {
    const now = this.#dependencies.clock.now();
    return now >= until || (lookup !== undefined && now >= lookup.at);
  }

  async #lookUp(session: PersonSession, cookie: string): Promise<PersonSession | undefined> {
    const { store, clock } = this.#dependencies;
    let latest: PersonSession | undefined = session;
    while (latest !== undefined && this.isDue(latest)) {
      const { signIn }: PersonSession = latest;
      const { lookup, until } = signIn;
      const now = clock.now();
      if (lookup === undefined || now >= until) return undefined;
      if (now - (lookup.since ?? -Infinity) < LONGEST_LOOKUP) {
        await clock.sleep(CHECK_INTERVAL);
      } else {
        const begun = { ...latest, signIn: { ...signIn, lookup: { ...lookup, since: now } } };
        if (await store.replace(begun, latest)) return this.#replaced(begun, lookup, cookie);
      }
      latest = (await store.find(session.sha256)) as PersonSession | undefined;
    }
    return latest;
  }

  async #replaced(
    begun: PersonSession,
    lookup: RightsLookup,
    cookie: string,
  ): Promise<PersonSession | undefined> {
    const { store } = this.#dependencies;
    const signIn = await this.#next(begun.signIn, lookup, cookie);
    for (let latest: Session | undefined = begun; latest !== undefined;) {
      if (signIn === undefined) {
        await store.remove(latest);
        return undefined;
      }
      // Another replica may have recorded a use.
      const next: PersonSession = { ...latest, signIn };
      if (await store.replace(next, latest)) return next;
      latest = await store.find(begun.sha256);
    }
    return undefined;
  }

  /** Undefined when the person may not stay. */
  async #next(
    signIn: SignedIn,
    { refreshToken: sealed }: RightsLookup,
    cookie: string,
  ): Promise<SignedIn | undefined> {
    const { provider, secrets, clock, logger } = this.#dependencies;
    const { issuer, subject } = signIn;
    const refreshToken = secrets.unseal(cookie, sealed);
    if (provider?.settings.issuer !== issuer || refreshToken === undefined) return undefined;
    try {
      const { claims, ...next } = await provider.lookUp(refreshToken, subject);
      const access = accessBy(provider.settings.rules, claims);
      if (access === undefined) throw new DomainError('forbidden', 'No rule matches any more');
      const lookup = {
        refreshToken: next.refreshToken === null ? sealed : secrets.seal(cookie, next.refreshToken),
        at: nextLookup(clock.now(), next.expiresIn),
      };
      return { ...signIn, ...access, lookup };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (error.code === 'issuer-unavailable') {
        return { ...signIn, lookup: { refreshToken: sealed, at: clock.now() + LOOKUP_RETRY } };
      }
      logger.info('The sign-in of a person has ended', { issuer, subject, error });
      return undefined;
    }
  }
}
