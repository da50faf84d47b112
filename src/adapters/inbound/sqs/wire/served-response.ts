import type { ServerResponse } from 'node:http';

/** A response as the server hands it over, with what it says of the service. */
export type ServedResponse = ServerResponse & {
  /** Whether the service is still starting. */
  readonly isEarly?: boolean;
  /** Aborts when the service begins to shut down. */
  readonly ending?: AbortSignal;
  /** The longest time without a byte of the request body, in milliseconds. */
  readonly bodyPatience?: number;
};
