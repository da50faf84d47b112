/** Reports the metrics of this process, in the format of a monitoring system. */
export interface MetricsPort {
  /** The media type of the result of {@link read}. */
  readonly contentType: string;

  /** All current metrics; while the store is away, only those of this process. It never throws. */
  read(): Promise<string>;
}
