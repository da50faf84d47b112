/** A hook as the API shows it. Times are epoch ms, durations ms. */
export interface Hook {
  readonly id: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signing: boolean;
  readonly events: readonly string[];
  readonly queues?: readonly string[];
  readonly when?: object;
  readonly for: number;
  readonly repeat: number | null;
  readonly distinct?: string;
  readonly format: string;
  readonly paused: boolean;
  readonly pausedReason?: string;
  readonly createdAt: number;
  readonly unreadable?: string;
}

export interface Hooks {
  readonly total: number;
  readonly hooks: readonly Hook[];
}

/** A message of a hook, and what became of it. */
export interface Delivery {
  readonly id: string;
  readonly type: string;
  readonly createdAt: number;
  readonly state: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly lastStatus: number | null;
  readonly reason: string | null;
  readonly nextAt: number | null;
  readonly durationMs: number | null;
}

export interface Deliveries {
  readonly deliveries: readonly Delivery[];
}

/** The fields of a hook that the service sets. */
const OWN: ReadonlySet<string> = new Set(['id', 'createdAt', 'pausedReason', 'unreadable']);

/** The fields of a hook that a client sets. */
export function settingsOf(hook: Hook): object {
  return Object.fromEntries(Object.entries(hook).filter(([name]) => !OWN.has(name)));
}

/** Whether a hook sends messages, and what keeps it from doing so. */
export function stateOf({ paused, unreadable }: Hook): string {
  if (unreadable !== undefined) return 'disabled';
  return paused ? 'paused' : 'ready';
}
