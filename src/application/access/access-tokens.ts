import {
  checkNewToken,
  checkTokenChanges,
  MOST_ANCESTORS,
  MOST_DESCENDANTS,
  rotated,
  type AccessToken,
  type NewToken,
  type Rotation,
  type TokenChanges,
} from '../../domain/access/access-token.ts';
import type { Access, Caller } from '../../domain/access/caller.ts';
import { covers } from '../../domain/access/covers.ts';
import { RIGHTS } from '../../domain/values/rights.ts';
import { completedLimits, limitsShape } from '../../domain/access/token-limits.ts';
import { DomainError, existing, notFound, tooMany } from '../../domain/errors.ts';
import { checkPage, type Page } from '../../domain/values/page.ts';
import { piecesOf } from '../../domain/values/pieces.ts';
import {
  nullable,
  string,
  time,
  required,
  listOf,
  oneOf,
  object,
  type Shaped,
} from '../../domain/values/shape.ts';
import type { AccessSecretPort } from '../ports/access-secret-port.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { NetworkPort } from '../ports/network-port.ts';
import type { TokenUse } from '../ports/token-use-port.ts';
import { onceChanged } from '../running/once-changed.ts';
import { checkNetworks } from './check-networks.ts';
import type { ConfiguredToken, ConfiguredTokens } from './configured-tokens.ts';
import type { IssuedTokens, TokenStores } from './issued-tokens.ts';
import { requireNoFreer } from './token-freedom.ts';

/** How many tokens are removed at once. */
const REMOVED_TOGETHER = 100;

const text = nullable(string);
const sometime = nullable(time);

const listedFields = {
  id: required(string, 'The id that names it in paths and in records'),
  name: required(string, 'Its purpose'),
  hint: required(text, 'The beginning of its secret, to recognize it by'),
  rights: required(listOf(oneOf(...RIGHTS)), 'Its rights'),
  queues: required(nullable(listOf(string)), 'Patterns of its queues; null for all'),
  expires: required(sometime, 'When it ends (epoch ms); null for never'),
  limits: required(nullable(limitsShape), 'How much it may do in a time; null for what all may'),
  addresses: required(nullable(listOf(string)), 'From which networks it works; null for all'),
  createdAt: required(sometime, 'When it was made (epoch ms)'),
  createdBy: required(text, 'The name of the token that made it'),
  parent: required(
    text,
    'The id of the token that made it, with which it ends and whose limits it shares; null for a token of the environment',
  ),
  lastUsedAt: required(sometime, 'When it was used last (epoch ms), at most a minute old'),
  lastAddress: required(text, 'From where it was used last'),
  source: required(oneOf('api', 'file', 'environment'), 'Where it comes from'),
};

/** A token as a list shows it. */
export const listedTokenShape = object('Token', listedFields);

export type ListedToken = Shaped<typeof listedTokenShape>;

/** A token as it is shown once. */
export const createdTokenShape = object('CreatedToken', {
  token: required(string, 'The token itself, which is shown this once'),
  ...listedFields,
});

export type CreatedToken = Shaped<typeof createdTokenShape>;

export interface AccessTokensDependencies extends TokenStores {
  readonly issued: IssuedTokens;
  readonly secrets: AccessSecretPort;
  readonly networks: NetworkPort;
  readonly configured: ConfiguredTokens;
  readonly clock: ClockPort;
}

/** Creates, lists, changes and revokes API tokens (platform contract, section 11). */
export class AccessTokens {
  readonly #dependencies: AccessTokensDependencies;

  constructor(dependencies: AccessTokensDependencies) {
    this.#dependencies = dependencies;
  }

  /** Configured tokens can only be listed here. */
  #configured(id: string): ConfiguredToken | undefined {
    return this.#dependencies.configured.all.find(({ caller }) => caller.id === id);
  }

  /**
   * Creates a token that has no more permissions than the caller.
   *
   * @throws DomainError `invalid-request` naming the field, `forbidden` or `too-many-tokens`.
   */
  async create(input: NewToken, caller: Caller): Promise<CreatedToken> {
    const { accessTokens, issued, secrets, networks, clock } = this.#dependencies;
    const now = clock.now();
    checkNewToken(input, now);
    checkNetworks(input.addresses, 'addresses', networks);
    const { name, rights, queues = null } = input;
    const { expires = caller.expires, addresses = caller.addresses } = input;
    const limits = completedLimits(input.limits ?? null, caller.limits);
    requireCover(caller, { rights, queues });
    requireNoFreer(caller, { expires, addresses, limits }, networks);
    const parent = await this.#parentOfNext(caller);
    for (;;) {
      const id = secrets.drawId();
      const { token, sha256, hint } = secrets.draw(id);
      const created = {
        id,
        name,
        hint,
        secrets: [{ sha256, until: null }],
        rights: [...new Set(rights)],
        queues,
        expires,
        limits,
        addresses,
        createdAt: now,
        createdBy: caller.name,
        parent,
      };
      const kept = await accessTokens.put(id, (other) => other ?? created);
      if (kept?.secrets[0]?.sha256 !== sha256) continue;
      await issued.changed();
      return { ...listed(created, undefined), token };
    }
  }

  /** Tokens from the environment come first, the others by age. @throws DomainError `invalid-request`. */
  async list({ start, length }: Page): Promise<{ total: number; tokens: readonly ListedToken[] }> {
    checkPage({ start, length });
    const { configured, issued } = this.#dependencies;
    const all = [...configured.all, ...(await issued.byAge())];
    const page = all.slice(start, start + length);
    const uses = await issued.usesOf(page.map(idOf));
    const tokens = page.map((each) => listed(each, uses.get(idOf(each))));
    return { total: all.length, tokens };
  }

  /** @throws DomainError `token-not-found`. */
  async read(id: string): Promise<ListedToken> {
    const token = this.#configured(id) ?? (await this.#find(id));
    return listed(token, (await this.#dependencies.issued.usesOf([id])).get(id));
  }

  /** @throws DomainError `invalid-request` naming the field, `token-not-found`, `token-fixed` or `forbidden`. */
  async change(id: string, changes: TokenChanges, caller: Caller): Promise<ListedToken> {
    const { networks, clock, issued } = this.#dependencies;
    checkTokenChanges(changes, clock.now());
    checkNetworks(changes.addresses, 'addresses', networks);
    const changed = await this.#replace(id, caller, (token) => {
      const after = { ...token, ...changes };
      requireNoFreer(caller, after, networks);
      return after;
    });
    return listed(changed, (await onceChanged(issued.usesOf([id]))).get(id));
  }

  /**
   * Gives the token a new secret. @returns the whole token, which is shown only this once.
   *
   * @throws DomainError `invalid-request` naming the field, `token-not-found`, `token-fixed` or `forbidden`.
   */
  async rotate(id: string, rotation: Rotation, caller: Caller): Promise<string> {
    const { secrets, clock, networks, issued } = this.#dependencies;
    const secret = secrets.draw(id);
    await this.#replace(id, caller, (token) => {
      requireNoFreer(caller, token, networks);
      if (caller.limits !== null && id !== caller.id && !issued.descends(token, caller.id)) {
        throw new DomainError(
          'forbidden',
          'A token with limits can rotate only itself and tokens that it made',
        );
      }
      return rotated(token, secret, rotation, clock.now());
    });
    return secret.token;
  }

  /**
   * Revokes the token and all that it made, which are refused as soon as it is gone.
   *
   * @throws DomainError `token-not-found`, `token-fixed` or `forbidden`.
   */
  async remove(id: string, caller: Caller): Promise<void> {
    const { accessTokens, tokenUses, issued } = this.#dependencies;
    await this.#requireChangeable(id, caller);
    const descendants = issued.descendantsOf(id);
    if (!(await accessTokens.remove(id))) throw notFound('token');
    for (const next of piecesOf(descendants, REMOVED_TOGETHER)) {
      await onceChanged(Promise.all(next.map((descendant) => accessTokens.remove(descendant))));
    }
    await onceChanged(tokenUses.forget([id, ...descendants]));
    await issued.changed();
  }

  /**
   * The parent of a token that the caller makes: null for the environment, whose tokens are numbered.
   *
   * @throws DomainError `forbidden` or `too-many-tokens`.
   */
  async #parentOfNext(caller: Caller): Promise<string | null> {
    if (this.#configured(caller.id)?.source === 'environment') return null;
    if (caller.ancestors.length >= MOST_ANCESTORS) {
      throw new DomainError('forbidden', 'This token is too far from the first that made others');
    }
    const { issued } = this.#dependencies;
    await issued.all();
    const first = caller.ancestors.at(-1)?.id ?? caller.id;
    if (issued.descendantsOf(first).length >= MOST_DESCENDANTS) {
      throw tooMany('tokens', MOST_DESCENDANTS);
    }
    return caller.id;
  }

  /** If another replica changes the token in the meantime, the change is applied to the new state. */
  async #replace(
    id: string,
    caller: Caller,
    change: (token: AccessToken) => AccessToken,
  ): Promise<AccessToken> {
    const { accessTokens, issued } = this.#dependencies;
    await this.#requireChangeable(id, caller);
    const changed = await accessTokens.change(id, change);
    await issued.changed();
    return existing(changed, 'token');
  }

  /** The rights of a token never change. @throws DomainError `token-not-found`, `token-fixed` or `forbidden`. */
  async #requireChangeable(id: string, caller: Caller): Promise<void> {
    const configured = this.#configured(id);
    if (configured !== undefined) {
      throw new DomainError(
        'token-fixed',
        `This token belongs to the ${configured.source}: change it there`,
      );
    }
    requireCover(caller, await this.#find(id));
  }

  async #find(id: string): Promise<AccessToken> {
    return existing((await this.#dependencies.issued.all()).get(id), 'token');
  }
}

/** What a token of the configuration lacks. */
const UNMADE = { hint: null, createdAt: null, createdBy: null, parent: null };

function listed(token: AccessToken | ConfiguredToken, use: TokenUse | undefined): ListedToken {
  const holder = 'secrets' in token ? token : token.caller;
  const { id, name, rights, queues, expires, addresses, limits = null } = holder;
  const { hint, createdAt, createdBy, parent = null } = 'secrets' in token ? token : UNMADE;
  return {
    id,
    name,
    hint,
    rights,
    queues,
    expires,
    limits,
    addresses,
    createdAt,
    createdBy,
    parent,
    lastUsedAt: use?.at ?? null,
    lastAddress: use?.address ?? null,
    source: 'source' in token ? token.source : 'api',
  };
}

function idOf(token: AccessToken | ConfiguredToken): string {
  return 'secrets' in token ? token.id : token.caller.id;
}

function requireCover(caller: Caller, access: Access): void {
  if (covers(caller, access)) return;
  throw new DomainError(
    'forbidden',
    'A token can make, change and remove only tokens with rights and queues that it has itself',
  );
}
