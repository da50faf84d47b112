import type { Script, Scripts } from '../connection/scripts.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';

/**
 * Finds a running job whose lock holds one of the tokens. KEYS: active. ARGV: job key prefix, tokens.
 * Answers the job's hash, id and token, or nothing.
 */
export const findClaimedScript: Script = {
  name: 'findClaimed',
  numberOfKeys: 1,
  lua: `
local tokens = {}
for index = 2, #ARGV do tokens[ARGV[index]] = true end
for _, id in ipairs(redis.call("LRANGE", KEYS[1], 0, -1)) do
  local lock = redis.call("GET", ARGV[1] .. id .. ":lock")
  if lock and tokens[lock] then
    local record = redis.pcall("HGETALL", ARGV[1] .. id)
    if not record["err"] then return {record, id, lock} end
  end
end
return false
`,
};

/** A job that an unanswered claim did take. */
export interface FoundClaim {
  readonly record: readonly string[];
  readonly id: string;
  readonly token: string;
}

/**
 * Claims whose answer never came. The store may have given a job to such a claim, and the job would
 * then wait for the stalled check with nobody working on it; so it is looked for as soon as the store
 * answers again.
 */
export class UnansweredClaims {
  readonly #scripts: Scripts;
  readonly #tokens = new Map<string, Set<string>>();

  constructor(scripts: Scripts) {
    this.#scripts = scripts;
  }

  /** Remembers the token when the claim fails in a way that leaves its outcome open. */
  async watch<T>(keys: QueueKeys, token: string, claim: Promise<T>): Promise<T> {
    try {
      return await claim;
    } catch (error) {
      const tokens = this.#tokens.get(keys.active) ?? new Set();
      this.#tokens.set(keys.active, tokens.add(token));
      throw error;
    }
  }

  /** One of the jobs that went to an unanswered claim, if there is one left. */
  async find(keys: QueueKeys): Promise<FoundClaim | undefined> {
    const tokens = this.#tokens.get(keys.active);
    if (tokens === undefined) return undefined;
    const args = [keys.jobPrefix, ...tokens];
    const found = await this.#scripts.run(findClaimedScript, [keys.active], args);
    if (!Array.isArray(found)) {
      this.#tokens.delete(keys.active);
      return undefined;
    }
    const [record, id, token] = found as [string[], string, string];
    tokens.delete(token);
    return { record, id, token };
  }
}
