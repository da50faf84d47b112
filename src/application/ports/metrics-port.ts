/** Reports what this process counts and measures, in the format of a monitoring system. */
export interface MetricsPort {
  /** The media type of what {@link read} returns. */
  readonly contentType: string;

  /** Everything at this moment. While the store is away, what the process knows by itself. It never throws. */
  read(): Promise<string>;
}
