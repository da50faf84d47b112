import { jwtVerify } from 'jose';
import * as oauth from 'oauth4webapi';
import type { ClockPort } from '../../../application/ports/clock-port.ts';
import type {
  Identity,
  IdentityProviderPort,
  SignInTry,
} from '../../../application/ports/identity-provider-port.ts';
import type { LoggerPort } from '../../../application/ports/logger-port.ts';
import { claimsAskedFor } from '../../../domain/access/admission.ts';
import type { SignInSettings } from '../../../domain/access/sign-in.ts';
import type { Claims, IssuerRule } from '../../../domain/access/token-issuer.ts';
import { discoveryDocument, issuerAnswer } from './issuer-document.ts';
import { IssuerKeys } from './issuer-keys.ts';
import { ISSUER_TIMEOUT, IssuerReading } from './issuer-reading.ts';
import { refusalOf } from './refused-sign-in.ts';
import { checkedSubject } from './subject.ts';
import { SIGNATURE_ALGORITHMS } from './usable-keys.ts';

/** How much (s) clocks may differ. */
const TOLERANCE = 30;

type Server = oauth.AuthorizationServer;

interface KnownIssuer {
  readonly settings: SignInSettings;
  readonly server: IssuerReading<Server>;
  readonly keys: IssuerKeys;
}

/** An OpenID Connect provider: authorization code with PKCE (further contract, section 25), by oauth4webapi and jose. */
export class OpenIdProvider implements IdentityProviderPort {
  readonly #settings: () => SignInSettings;
  readonly #clock: ClockPort;
  readonly #logger: LoggerPort;
  #known: KnownIssuer | undefined;

  /** @param settings those in force, the same object while they do not change. */
  constructor(settings: () => SignInSettings, clock: ClockPort, logger: LoggerPort) {
    this.#settings = settings;
    this.#clock = clock;
    this.#logger = logger;
  }

  get issuer(): string {
    return this.#settings().issuer;
  }

  get rules(): readonly IssuerRule[] {
    return this.#settings().rules;
  }

  begin(returnTo: string): Promise<{ location: string; started: SignInTry }> {
    return this.#asked(async ({ settings }, server) => {
      const started = {
        state: oauth.generateRandomState(),
        nonce: oauth.generateRandomNonce(),
        verifier: oauth.generateRandomCodeVerifier(),
      };
      const url = new URL(server.authorization_endpoint ?? '');
      oauth.checkProtocol(url, isSafe(settings));
      const parameters = {
        response_type: 'code',
        client_id: settings.clientId,
        redirect_uri: returnTo,
        scope: settings.scopes.join(' '),
        state: started.state,
        nonce: started.nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(started.verifier),
        code_challenge_method: 'S256',
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      return { location: url.href, started };
    });
  }

  finish(answer: string, started: SignInTry, returnTo: string): Promise<Identity> {
    const { state, nonce: expectedNonce, verifier } = started;
    return this.#asked(async (known, server) => {
      const client = this.#client(known);
      const parameters = new URLSearchParams(answer);
      const callback = oauth.validateAuthResponse(server, client, parameters, state);
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        authentication(known, server),
        callback,
        returnTo,
        verifier,
        options(known),
      );
      const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
        expectedNonce,
        requireIdToken: true,
      });
      const claims = await this.#verified(known, tokens.id_token ?? '');
      return this.#identity(known, server, tokens, checkedSubject(claims['sub']), claims);
    });
  }

  lookUp(refreshToken: string, subject: string): Promise<Identity> {
    return this.#asked(async (known, server) => {
      const client = this.#client(known);
      const response = await oauth.refreshTokenGrantRequest(
        server,
        client,
        authentication(known, server),
        refreshToken,
        options(known),
      );
      const tokens = await oauth.processRefreshTokenResponse(server, client, response);
      const { id_token: idToken } = tokens;
      const claims = idToken === undefined ? {} : await this.#verified(known, idToken);
      checkedSubject(claims['sub'] ?? subject, subject);
      return this.#identity(known, server, tokens, subject, claims);
    });
  }

  async endUrl(): Promise<string | null> {
    try {
      const { settings, server } = this.#issuerInForce();
      const { end_session_endpoint: place } = await server.current();
      if (place === undefined) return null;
      const url = new URL(place);
      url.searchParams.set('client_id', settings.clientId);
      return url.href;
    } catch {
      // The session has ended all the same.
      return null;
    }
  }

  async #asked<Answer>(
    ask: (known: KnownIssuer, server: Server) => Promise<Answer>,
  ): Promise<Answer> {
    const known = this.#issuerInForce();
    try {
      return await ask(known, await known.server.current());
    } catch (error) {
      throw refusalOf(error, known.settings.issuer, this.#logger);
    }
  }

  #issuerInForce(): KnownIssuer {
    const settings = this.#settings();
    if (this.#known?.settings === settings) return this.#known;
    const { issuer } = settings;
    const [clock, logger] = [this.#clock, this.#logger];
    const read = async (signal: AbortSignal): Promise<Server> => ({
      ...((await discoveryDocument(issuer, signal)) as Partial<Server>),
      issuer,
      id_token_signing_alg_values_supported: SIGNATURE_ALGORITHMS,
    });
    this.#known = {
      settings,
      server: new IssuerReading({ issuer, what: 'discovery document', read, clock, logger }),
      keys: new IssuerKeys({ issuer }, clock, logger),
    };
    return this.#known;
  }

  #client({ settings }: KnownIssuer): oauth.Client {
    return {
      client_id: settings.clientId,
      [oauth.clockSkew]: Math.round((this.#clock.now() - Date.now()) / 1000),
      [oauth.clockTolerance]: TOLERANCE,
    };
  }

  /** The claims of an ID token that the issuer signed for this client. */
  async #verified({ settings, keys }: KnownIssuer, token: string): Promise<Claims> {
    const { payload } = await jwtVerify(token, (header, jws) => keys.find(header, jws), {
      issuer: settings.issuer,
      audience: settings.clientId,
      algorithms: SIGNATURE_ALGORITHMS,
      requiredClaims: ['exp'],
      clockTolerance: TOLERANCE,
      currentDate: new Date(this.#clock.now()),
    });
    return payload;
  }

  /** Asks for what the ID token lacks of the claims that rules name. */
  async #identity(
    known: KnownIssuer,
    server: Server,
    tokens: oauth.TokenEndpointResponse,
    subject: string,
    claims: Claims,
  ): Promise<Identity> {
    const lacks = claimsAskedFor(known.settings.rules).some((name) => !Object.hasOwn(claims, name));
    const isAsked = lacks && server.userinfo_endpoint !== undefined;
    const others = isAsked && (await this.#userinfo(known, server, tokens.access_token, subject));
    const { refresh_token: refreshToken = null, expires_in: expiresIn } = tokens;
    return {
      subject,
      claims: { ...others, ...claims },
      refreshToken,
      expiresIn: expiresIn === undefined ? null : expiresIn * 1000,
    };
  }

  async #userinfo(
    known: KnownIssuer,
    server: Server,
    accessToken: string,
    subject: string,
  ): Promise<Claims> {
    const client = this.#client(known);
    const response = await oauth.userInfoRequest(server, client, accessToken, {
      ...options(known),
      headers: { accept: 'application/json' },
    });
    return oauth.processUserInfoResponse(server, client, subject, response);
  }
}

/** Whether the issuer is asked over TLS alone. */
function isSafe({ issuer }: SignInSettings): boolean {
  return issuer.startsWith('https:');
}

function authentication({ settings }: KnownIssuer, server: Server): oauth.ClientAuth {
  const { clientSecret } = settings;
  if (clientSecret === undefined) return oauth.None();
  // Basic unless the issuer says otherwise (OpenID Connect Discovery 1.0, section 3).
  const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server;
  return methods.includes('client_secret_basic')
    ? oauth.ClientSecretBasic(clientSecret)
    : oauth.ClientSecretPost(clientSecret);
}

function options({ settings }: KnownIssuer) {
  return {
    [oauth.customFetch]: (url: string, init: object) => issuerAnswer(url, init),
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so to stand out: for an issuer on loopback
    [oauth.allowInsecureRequests]: !isSafe(settings),
    signal: AbortSignal.timeout(ISSUER_TIMEOUT),
  };
}
