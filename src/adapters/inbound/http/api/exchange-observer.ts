/** Whoever keeps account of requests. It is told of each one: it must be quick, and must not throw. */
export interface ExchangeObserver {
  /**
   * A request is over.
   *
   * @param route the pattern of its path, `none` where no pattern matches.
   * @param method as the client wrote it.
   * @param status undefined when its client went away before there was an answer.
   */
  ended(route: string, method: string, status: number | undefined): void;
}
