import { invalidRequest } from '../../domain/errors.ts';
import type { RepairKind } from '../../domain/jobs/bulk-repair.ts';
import { orderedJson } from '../../domain/values/ordered-json.ts';
import type { OneTimeStorePort } from '../ports/one-time-store-port.ts';
import type { TokenPort } from '../ports/token-port.ts';

/** How long (ms) a code is valid. */
const CODE_LIFE = 60_000;

/** How many codes a token gets within CODE_LIFE; with each further one, the oldest of them ends. */
export const MOST_CODES = 1000;

/** The repair or signal that a code confirms, and the caller who may run it. */
export interface ConfirmedRepair {
  /** The id of the token. */
  readonly caller: string;
  readonly queue: string;
  readonly kind: RepairKind | 'signal';
  /** The arguments that must be the same again. */
  readonly input: object;
}

/**
 * Codes that the preview of a repair issues and its execution uses up (clients contract, section 7). The purpose of a
 * code is part of what the store keeps, so an attempt to use it for anything else does not invalidate it.
 */
export class RepairCodes {
  readonly #store: OneTimeStorePort<true>;
  readonly #tokens: TokenPort;

  constructor(store: OneTimeStorePort<true>, tokens: TokenPort) {
    this.#store = store;
    this.#tokens = tokens;
  }

  /** @throws DomainError `store-unavailable`. */
  async issue(repair: ConfirmedRepair): Promise<string> {
    const code = this.#tokens.draw();
    const bounds = { owner: repair.caller, life: CODE_LIFE, most: MOST_CODES };
    await this.#store.save(bound(code, repair), true, bounds);
    return code;
  }

  /** @throws DomainError `invalid-request` for a code that is not valid for the repair, or `store-unavailable`. */
  async use(code: string, repair: ConfirmedRepair): Promise<void> {
    if ((await this.#store.take(bound(code, repair))) !== undefined) return;
    const same =
      repair.kind === 'signal' ? 'queue, key, body and keep' : 'queue, action and filter';
    throw invalidRequest(
      `confirm must be the code of a preview of the same ${same}, ` +
        'with the same token; it can be used once, within 60 s',
      'confirm',
    );
  }
}

function bound(code: string, { caller, queue, kind, input }: ConfirmedRepair): string {
  return orderedJson([code, caller, queue, kind, input]);
}
