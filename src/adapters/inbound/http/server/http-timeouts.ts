/** How long clients may take, all in milliseconds. */
export interface HttpTimeouts {
  /** For the headers of a request and, on a new connection, until they begin. */
  readonly headers: number;
  /** For a whole request, its body included. */
  readonly request: number;
  /** For the next byte of a body. */
  readonly body: number;
  /** From the headers of a request until the last byte of its answer has gone. */
  readonly exchange: number;
  /** For reading the next part of an open-ended answer. */
  readonly reader: number;
  /**
   * For reading what is left of such an answer, once the client has taken too long. It has to be less than 30 s, after
   * which the library closes a WebSocket by itself, leaving behind the data that the system holds for it.
   */
  readonly lateReader: number;
  /** Between two requests on one connection. */
  readonly keepAlive: number;
  /** How often the other times are checked: each may last longer by this. */
  readonly checkInterval: number;
}

/** Connections are kept longer than load balancers keep theirs, which is 60 s. */
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
