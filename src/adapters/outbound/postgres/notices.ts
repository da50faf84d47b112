import type { Database } from './driver/database.ts';

/** How long (ms) rounds are collected before other replicas are told of them. */
const MERGED = 3;

/** What a replica does with the notices of others. */
export interface NoticeListener {
  /** Another replica changed something. */
  changed(): void;
  signalled(payload: string): void;
  /** Notices may have been missed. */
  missed(): void;
}

/** The notices between replicas. */
export interface Notices {
  readonly isListening: boolean;
  /** @throws DatabaseError when the server does not allow it. */
  listen(): Promise<void>;
  /** Tells the other replicas that there are new rounds, several rounds at once. */
  changed(): void;
  /** @throws DatabaseError */
  signal(payload: string): Promise<void>;
}

/**
 * Notices through NOTIFY, each sent by a statement of its own: within the transaction of a round it would take a lock
 * of the whole server until the commit.
 */
export function noticesOf(
  database: Database,
  schema: string,
  instance: string,
  listener: NoticeListener,
): Notices {
  const channels = { rounds: `jobgate rounds ${schema}`, signals: `jobgate signals ${schema}` };
  const notify = async (channel: string, payload: string): Promise<void> => {
    await database.query('SELECT pg_notify($1, $2)', [channel, payload]);
  };
  let isDue = false;
  const notices = {
    isListening: false,
    listen: async () => {
      await database.listen(
        channels.rounds,
        (sender) => {
          if (sender !== instance) listener.changed();
        },
        () => {
          listener.missed();
        },
      );
      await database.listen(channels.signals, listener.signalled.bind(listener), () => undefined);
      notices.isListening = true;
    },
    changed: () => {
      if (isDue) return;
      isDue = true;
      setTimeout(() => {
        isDue = false;
        notify(channels.rounds, instance).catch(() => undefined);
      }, MERGED);
    },
    signal: (payload: string) => notify(channels.signals, payload),
  };
  return notices;
}
