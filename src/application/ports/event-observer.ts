/** Observes which events subscribers missed, for the metrics. */
export interface EventObserver {
  /** Gaps were reported to a subscriber, in place of events. */
  gapsReported(count: number): void;
}
