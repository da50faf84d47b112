/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import { createHash } from 'node:crypto';
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { OneTimeStorePort } from '../../../../application/ports/one-time-store-port.ts';
import type { StoreRecords } from '../records/store-records.ts';
import { EndingRecords } from './ending-records.ts';

interface IssuedSecret {
  /** JSON text; undefined once the secret is used. */
  readonly content?: string;
  readonly owner: string;
  /** Epoch ms. */
  readonly endsAt: number;
}

/** Secrets in the memory of this process, by their digests. @param kind what the secrets are. */
export function memoryOneTimeStore<Content>(
  clock: ClockPort,
  records: StoreRecords,
  kind: 'ticket' | 'repair-code' | 'sign-in-try',
): OneTimeStorePort<Content> {
  const issued = new EndingRecords<IssuedSecret>(clock, records, kind, ({ owner }) => owner);
  return {
    save: async (secret, content, { owner, life, most }) => {
      const record = { content: JSON.stringify(content), owner, endsAt: clock.now() + life };
      issued.add(digestOf(secret), record, owner, most);
    },
    take: async (secret) => {
      const digest = digestOf(secret);
      const { content, ...used } = issued.find(digest) ?? {};
      if (content === undefined) return undefined;
      issued.replace(digest, used as IssuedSecret);
      return JSON.parse(content) as Content;
    },
  };
}

function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
