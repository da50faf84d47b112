/** How long clients may take, all in milliseconds. */
export interface HttpTimeouts {
  /** For the headers of a request, and on a new connection until they begin. */
  readonly headers: number;
  /** For a whole request, its body included. */
  readonly request: number;
  /** For the next byte of a body. */
  readonly body: number;
  /** From the headers of a request until the last byte of its answer has gone. */
  readonly exchange: number;
  /** For taking the next part of an answer without an end of its own. */
  readonly reader: number;
  /**
   * For taking what is left of such an answer, once that took too long. The library closes a WebSocket after 30 s
   * by itself, and leaves with the system what that holds for it: this has to be less.
   */
  readonly lateReader: number;
  /** Between two requests on one connection. */
  readonly keepAlive: number;
  /** How often the other times are checked: each may last longer by this. */
  readonly checkInterval: number;
}

/** Connections are kept for longer than load balancers keep theirs, which is 60 s. */
export const HTTP_TIMEOUTS: HttpTimeouts = {
  headers: 15_000,
  request: 120_000,
  body: 10_000,
  exchange: 240_000,
  reader: 30_000,
  lateReader: 15_000,
  keepAlive: 65_000,
  checkInterval: 5_000,
};
