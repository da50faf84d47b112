import type { Caller } from './caller.ts';

/** What one client does that could take the service away from the others. */
export interface Attack {
  readonly name: string;
  /** What the service needs beyond the usual. */
  readonly environment?: Readonly<Record<string, string>>;
  /** What has to be there before. */
  readonly prepare?: (caller: Caller) => Promise<void>;
  /** What is sent: made beforehand, since the neighbours are measured in the same process. */
  readonly body?: () => string;
  readonly run: (caller: Caller, body: string) => Promise<unknown>;
}
