/** Services that commands start in their own process, which runs until it is stopped. */
export interface Services {
  /** Starts one for programs that are tried with QSTASH_DEV=1, and resolves once it listens. */
  startQstashDev(): Promise<void>;
}
