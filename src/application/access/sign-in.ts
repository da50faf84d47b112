import { admissionOf } from '../../domain/access/admission.ts';
import type { Caller } from '../../domain/access/caller.ts';
import { NO_QUEUES } from '../../domain/access/queue-patterns.ts';
import {
  CALLBACK_PATH,
  MOST_TRIES,
  targetUrl,
  TRY_LIFE,
  TRY_PARTS,
  type SignedIn,
} from '../../domain/access/sign-in.ts';
import { DomainError, invalidRequest } from '../../domain/errors.ts';
import type { IdentityProviderPort, SignInTry } from '../ports/identity-provider-port.ts';
import type { CommonPorts } from '../ports/common-ports.ts';
import type { OneTimeStorePort } from '../ports/one-time-store-port.ts';

/** A person whom the issuer has identified, and the page that the person wanted. */
export type Person = Awaited<ReturnType<SignIn['identify']>>;

export interface SignInDependencies extends Pick<CommonPorts, 'tokens'> {
  /** Undefined where nobody signs in. */
  readonly provider: IdentityProviderPort | undefined;
  /** The URL at which browsers reach the service. */
  readonly publicUrl: string;
  /** Tries to sign in, each with the page that the person goes to once it succeeds. */
  readonly signInTries: OneTimeStorePort<SignInTry & { readonly target: string }>;
}

/** Signs people in by OpenID Connect, for the dashboard (further contract, section 25). */
export class SignIn {
  readonly #dependencies: SignInDependencies;

  constructor(dependencies: SignInDependencies) {
    this.#dependencies = dependencies;
  }

  /** Whether people can sign in. */
  get isOn(): boolean {
    return this.#dependencies.provider !== undefined;
  }

  /**
   * Begins a try.
   *
   * @param to a path of this origin; that of the dashboard unless given.
   * @returns the URL at which the person signs in, and the secret of the try, which only the browser of the person keeps.
   * @throws DomainError `no-sign-in`, `invalid-request` naming the field, `issuer-unavailable` or `store-unavailable`.
   */
  async begin(to: string | undefined, address: string) {
    const { publicUrl, signInTries, tokens } = this.#dependencies;
    const provider = this.#provider;
    const target = to === undefined ? `${publicUrl}/dashboard` : targetUrl(to, publicUrl);
    const { location, started } = await provider.begin(this.#returnTo);
    const secret = tokens.draw();
    const bounds = { owner: partOf(address), life: TRY_LIFE, most: MOST_TRIES };
    await signInTries.save(keyOf(secret, started.state), { ...started, target }, bounds);
    return { location, secret };
  }

  /**
   * Finds out who came back. A try can be used once, on one replica, and only by the browser that began it.
   *
   * @param answer the query with which the person came back.
   * @param secret that of the try, if the browser has one.
   * @returns a person without rights when no rule matches.
   * @throws DomainError `no-sign-in`, `invalid-request`, `issuer-unavailable` or `store-unavailable`.
   */
  async identify(answer: string, secret: string | undefined) {
    const provider = this.#provider;
    const state = new URLSearchParams(answer).get('state');
    const started = await this.#dependencies.signInTries.take(keyOf(secret ?? '', state ?? ''));
    if (started === undefined) {
      throw invalidRequest('This try to sign in is lost, too old, or was used already');
    }
    const identity = await provider.finish(answer, started, this.#returnTo);
    const { settings } = provider;
    const { subject } = identity;
    const admission = admissionOf(settings, identity.claims);
    const access = admission.match ?? { name: subject, rights: [], queues: NO_QUEUES };
    const signIn: SignedIn = { issuer: settings.issuer, subject, ...access };
    return { identity, admission, signIn, target: started.target };
  }

  /** Where a person ends the sign-in at the issuer; null for one who did not sign in there. @throws DomainError `no-sign-in`. */
  async endUrl({ via }: Caller): Promise<string | null> {
    const provider = this.#provider;
    return via === 'sign-in' ? provider.endUrl() : null;
  }

  get #provider(): IdentityProviderPort {
    const { provider } = this.#dependencies;
    if (provider === undefined)
      throw new DomainError('no-sign-in', 'There is nothing at this path');
    return provider;
  }

  get #returnTo(): string {
    return `${this.#dependencies.publicUrl}${CALLBACK_PATH}`;
  }
}

/** A try belongs to a browser and to a way there: a wrong state finds none, and uses up none. */
function keyOf(secret: string, state: string): string {
  return `${secret} ${state}`;
}

/** Who begins many tries ends those of few others, and the store keeps a bounded number. */
function partOf(address: string): string {
  const sum = Array.from(address).reduce(
    (before, each) => (before * 31 + each.charCodeAt(0)) % 1_000_003,
    0,
  );
  return String(sum % TRY_PARTS);
}
