import { parsedJson } from '../../../../domain/values/json.ts';

/** What a receipt handle stands for: one receive of one message. */
export interface Receipt {
  readonly queue: string;
  readonly jobId: string;
  /** The token of the attempt. */
  readonly token: string;
  /** How often the message had been received then, from 1. */
  readonly receives: number;
}

const VERSION = 'jg1';

/** Handles of more characters are not ours. */
const MOST = 4096;

/** The receipt as opaque text. */
export function receiptHandle({ queue, jobId, token, receives }: Receipt): string {
  const text = JSON.stringify([VERSION, queue, jobId, token, receives]);
  return Buffer.from(text).toString('base64url');
}

/** The receipt of a handle; undefined for text that this service did not hand out. */
export function receiptOf(handle: string): Receipt | undefined {
  if (handle.length > MOST || !/^[\w-]+$/.test(handle)) return undefined;
  const parts = parsedJson(Buffer.from(handle, 'base64url').toString());
  if (!Array.isArray(parts) || parts.length !== 5) return undefined;
  const [version, queue, jobId, token, receives] = parts as unknown[];
  const isOurs =
    version === VERSION &&
    typeof queue === 'string' &&
    typeof jobId === 'string' &&
    typeof token === 'string' &&
    Number.isSafeInteger(receives);
  return isOurs ? { queue, jobId, token, receives: receives as number } : undefined;
}
