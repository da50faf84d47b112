/** Observes every request. It must be quick, and must not throw. */
export interface ExchangeObserver {
  /**
   * Called when a request is over.
   *
   * @param route the pattern of its path, `none` where no pattern matches.
   * @param method as the client wrote it.
   * @param status undefined when the client left before there was an answer.
   */
  ended(route: string, method: string, status: number | undefined): void;
}
