import type { AuditRecord } from '../../src/adapters/inbound/http/api/recorded-calls.ts';

/** For requests that change nothing. */
export const NO_AUDIT: AuditRecord = {
  begin: () => Promise.reject(new Error('Nothing is to be recorded')),
  complete: () => Promise.resolve(),
  forget: () => Promise.resolve(),
  refused: () => Promise.resolve(),
};
