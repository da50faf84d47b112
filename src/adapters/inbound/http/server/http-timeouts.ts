/** How long clients may take, all in milliseconds. */
export const HTTP_TIMEOUTS = {
  /** For the headers of a request and, on a new connection, until they begin. */
  headers: 15_000,
  /** For a whole request, its body included. */
  request: 120_000,
  /** For the next byte of a body. */
  body: 10_000,
  /** From the headers of a request until the last byte of its answer has gone. */
  exchange: 240_000,
  /** For reading the next part of an open-ended answer. */
  reader: 30_000,
  /**
   * For reading what is left of such an answer, once the client has taken too long. It has to be less than 30 s, after
   * which the library closes a WebSocket by itself, leaving behind the data that the system holds for it.
   */
  lateReader: 15_000,
  /** Between two requests on one connection: longer than load balancers keep theirs, which is 60 s. */
  keepAlive: 65_000,
  /** How often the other times are checked: each may last longer by this. */
  checkInterval: 5_000,
};

export type HttpTimeouts = Readonly<typeof HTTP_TIMEOUTS>;
