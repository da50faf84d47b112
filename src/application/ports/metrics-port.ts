/** Reports what this process counts and measures, in the format of a monitoring system. */
export interface MetricsPort {
  /** The media type of what {@link read} returns. */
  readonly contentType: string;

  /** All metrics at this moment; while the store is away, only those of this process. It never throws. */
  read(): Promise<string>;
}
