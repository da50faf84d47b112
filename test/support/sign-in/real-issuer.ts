import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';

/** The claims of the people that a provider knows, by what they type in as their login. */
export type People = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A certified OpenID Connect provider on loopback, with a form for any login and password. */
export class RealIssuer {
  readonly #server: Server;
  /** How many refresh tokens were redeemed. */
  refreshes = 0;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** @param publicUrl of the service that people sign in to. */
  static async start(publicUrl: string, people: People): Promise<RealIssuer> {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const issuer = new RealIssuer(server);
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    const provider = new Provider(issuer.url, {
      clients: [
        {
          ...{ client_id: 'jobgate', client_secret: 'confidential' },
          redirect_uris: [`${publicUrl}/sign-in/callback`],
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
        },
      ],
      jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'one', alg: 'RS256', use: 'sig' }] },
      cookies: { keys: ['a key of tests'] },
      claims: { openid: ['sub'], groups: ['groups'] },
      scopes: ['openid', 'groups'],
      issueRefreshToken: () => true,
      rotateRefreshToken: () => true,
      ttl: { AccessToken: 1, IdToken: 60, RefreshToken: 600, Session: 600, Grant: 600 },
      findAccount: (_: unknown, id: string) => ({
        accountId: id,
        claims: () => ({ sub: id, ...people[id] }),
      }),
    });
    provider.on('grant.success', (context) => {
      const { oidc } = context as { oidc: { params?: { grant_type?: string } } };
      if (oidc.params?.grant_type === 'refresh_token') issuer.refreshes += 1;
    });
    server.on('request', provider.callback());
    return issuer;
  }

  /** Browsers take it for another site than 127.0.0.1. */
  get url(): string {
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}
