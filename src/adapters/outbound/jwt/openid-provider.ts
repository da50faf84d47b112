import * as oauth from 'oauth4webapi';
import type { ClockPort } from '../../../application/ports/clock-port.ts';
import type {
  Identity,
  IdentityProviderPort,
  SignInTry,
} from '../../../application/ports/identity-provider-port.ts';
import type { LoggerPort } from '../../../application/ports/logger-port.ts';
import { admissionOf } from '../../../domain/access/admission.ts';
import type { SignInSettings } from '../../../domain/access/sign-in.ts';
import type { Claims } from '../../../domain/access/token-issuer.ts';
import { keptOrMade } from '../../../domain/values/kept-or-made.ts';
import { discoveryDocument, issuerAnswer } from './issuer-document.ts';
import { ISSUER_TIMEOUT, IssuerReading } from './issuer-reading.ts';
import { refusalOf } from './refused-sign-in.ts';
import { checkedSubject } from './subject.ts';
import { SIGNATURE_ALGORITHMS } from './usable-keys.ts';

/** How much (s) clocks may differ. */
const TOLERANCE = 30;

type Server = oauth.AuthorizationServer;

/** An issuer that is asked, and how that is done. */
type Asked = ReturnType<typeof asking>;

/** An OpenID Connect provider: authorization code with PKCE (further contract, section 25), by oauth4webapi. */
export class OpenIdProvider implements IdentityProviderPort {
  readonly #settings: () => SignInSettings;
  readonly #clock: ClockPort;
  readonly #logger: LoggerPort;
  readonly #servers = new WeakMap<SignInSettings, IssuerReading<Server>>();

  /** @param settings those in force, the same object while they do not change. */
  constructor(settings: () => SignInSettings, clock: ClockPort, logger: LoggerPort) {
    this.#settings = settings;
    this.#clock = clock;
    this.#logger = logger;
  }

  get settings(): SignInSettings {
    return this.#settings();
  }

  begin(returnTo: string): Promise<{ location: string; started: SignInTry }> {
    return this.#asked(async ({ settings, parties: [server] }) => {
      const started = {
        state: oauth.generateRandomState(),
        nonce: oauth.generateRandomNonce(),
        verifier: oauth.generateRandomCodeVerifier(),
      };
      const url = urlWith(server.authorization_endpoint ?? '', {
        response_type: 'code',
        client_id: settings.clientId,
        redirect_uri: returnTo,
        scope: settings.scopes.join(' '),
        state: started.state,
        nonce: started.nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(started.verifier),
        code_challenge_method: 'S256',
      });
      oauth.checkProtocol(url, isSafe(settings));
      return { location: url.href, started };
    });
  }

  finish(answer: string, started: SignInTry, returnTo: string): Promise<Identity> {
    const { state, nonce: expectedNonce, verifier } = started;
    return this.#asked(async (asked) => {
      const { parties, own, options } = asked;
      const callback = oauth.validateAuthResponse(...parties, new URLSearchParams(answer), state);
      const grant = [own, callback, returnTo, verifier, options] as const;
      const response = await oauth.authorizationCodeGrantRequest(...parties, ...grant);
      const expected = { expectedNonce, requireIdToken: true };
      const tokens = await oauth.processAuthorizationCodeResponse(...parties, response, expected);
      return identityIn(asked, response, tokens);
    });
  }

  lookUp(refreshToken: string, subject: string): Promise<Identity> {
    return this.#asked(async (asked) => {
      const { parties, own, options } = asked;
      const response = await oauth.refreshTokenGrantRequest(...parties, own, refreshToken, options);
      const tokens = await oauth.processRefreshTokenResponse(...parties, response);
      return identityIn(asked, response, tokens, subject);
    });
  }

  endUrl(): Promise<string | null> {
    const asked = this.#asked(({ settings, parties: [{ end_session_endpoint: place }] }) =>
      place === undefined ? null : urlWith(place, { client_id: settings.clientId }).href,
    );
    // The session has ended all the same.
    return asked.catch(() => null);
  }

  async #asked<Answer>(ask: (asked: Asked) => Answer | Promise<Answer>): Promise<Answer> {
    const settings = this.#settings();
    try {
      const reading = keptOrMade(this.#servers, settings, () => this.#read(settings));
      return await ask(asking(settings, await reading.current(), this.#clock.now()));
    } catch (error) {
      throw refusalOf(error, settings.issuer, this.#logger);
    }
  }

  #read({ issuer }: SignInSettings): IssuerReading<Server> {
    const [clock, logger] = [this.#clock, this.#logger];
    const read = async (signal: AbortSignal): Promise<Server> => ({
      ...((await discoveryDocument(issuer, signal)) as Partial<Server>),
      issuer,
      id_token_signing_alg_values_supported: SIGNATURE_ALGORITHMS,
    });
    return new IssuerReading({ issuer, what: 'discovery document', read, clock, logger });
  }
}

function urlWith(place: string, parameters: Readonly<Record<string, string>>): URL {
  const url = new URL(place);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
}

/**
 * Whom the tokens are about. Userinfo is asked for what the ID token lacks of the claims that rules name.
 *
 * @param expected whom they have to be about.
 */
async function identityIn(
  { settings, parties, options }: Asked,
  response: Response,
  tokens: oauth.TokenEndpointResponse,
  expected?: string,
): Promise<Identity> {
  const claims = oauth.getValidatedIdTokenClaims(tokens);
  if (claims !== undefined) {
    // What else there is to check of it, oauth4webapi has checked.
    await oauth.validateApplicationLevelSignature(parties[0], response, options);
  }
  const subject = checkedSubject(claims?.sub ?? expected, expected);
  const { rules } = admissionOf(settings, claims ?? {});
  const lacks = rules.some(({ asked }) => asked.some(({ values }) => values === null));
  let others: Claims = {};
  if (lacks && parties[0].userinfo_endpoint !== undefined) {
    const answer = await oauth.userInfoRequest(...parties, tokens.access_token, options);
    others = await oauth.processUserInfoResponse(...parties, subject, answer);
  }
  const { refresh_token: refreshToken, expires_in: expiresIn = Infinity } = tokens;
  return { subject, claims: { ...others, ...claims }, refreshToken, expiresIn: expiresIn * 1000 };
}

/** Whether the issuer is asked over TLS alone. */
function isSafe({ issuer }: SignInSettings): boolean {
  return issuer.startsWith('https:');
}

function authentication({ clientSecret }: SignInSettings, server: Server): oauth.ClientAuth {
  if (clientSecret === undefined) return oauth.None();
  // Basic unless the issuer says otherwise (OpenID Connect Discovery 1.0, section 3).
  const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server;
  return methods.includes('client_secret_basic')
    ? oauth.ClientSecretBasic(clientSecret)
    : oauth.ClientSecretPost(clientSecret);
}

function asking(settings: SignInSettings, server: Server, now: number) {
  const client = {
    client_id: settings.clientId,
    [oauth.clockSkew]: Math.round((now - Date.now()) / 1000),
    [oauth.clockTolerance]: TOLERANCE,
  };
  return {
    settings,
    /** The issuer and the client, which take part in all requests and answers. */
    parties: [server, client] as const,
    /** How the client authenticates itself. */
    own: authentication(settings, server),
    options: {
      [oauth.customFetch]: (url: string, init: object) => issuerAnswer(url, init),
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so to stand out: for an issuer on loopback
      [oauth.allowInsecureRequests]: !isSafe(settings),
      signal: () => AbortSignal.timeout(ISSUER_TIMEOUT),
    },
  };
}
