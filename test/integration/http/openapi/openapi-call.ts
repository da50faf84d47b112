/** A request to an operation of the OpenAPI document. */
export interface OpenApiCall {
  readonly operationId: string;
  readonly path: string;
  readonly status: number;
  readonly body?: unknown;
  /** Null for no token. */
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The queues whose first job runs while the calls are made. */
export const HELD = ['taken', 'completing', 'failing', 'releasing', 'suspending'] as const;

export type HeldQueue = (typeof HELD)[number];

/** The token of the running attempt of job 1 of that queue. */
export type TokenOf = (queue: HeldQueue) => string;
