import type { Database } from './driver/database.ts';

/** How long (ms) rounds are collected before other replicas are notified of them. */
const MERGED = 3;

/** How long (ms) a notice of our own may take to come back to us. */
const ECHO_PATIENCE = 1000;

/** How many of our notices in a row may not come back while a lost connection is made again. */
const MOST_MISSED = 5;

/** What a replica does with the notices of others. */
export interface NoticeListener {
  /** Another replica changed something. */
  changed(): void;
  signalled(payload: string): void;
  /** A transaction that added jobs by SQL was committed. */
  added(transaction: string): void;
  /** Notices may have been missed. */
  missed(): void;
  /** Notices do not arrive although they are sent: LISTEN succeeds through a pooler that then swallows them. */
  deafened(): void;
  /** Notices arrive again. */
  heardAgain(): void;
}

/** The notices between replicas. */
export interface Notices {
  /** Whether the last notice that this replica sent came back to it. */
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
  const channels = {
    rounds: `jobgate rounds ${schema}`,
    signals: `jobgate signals ${schema}`,
    inbox: `jobgate inbox ${schema}`,
  };
  const notify = async (channel: string, payload: string): Promise<void> => {
    await database.query('SELECT pg_notify($1, $2)', [channel, payload]);
  };
  let isDue = false;
  /** Undefined until the first notice came back or did not. */
  let isDeaf: boolean | undefined;
  let missed = 0;
  let echo: NodeJS.Timeout | undefined;
  const endEcho = (): void => {
    clearTimeout(echo);
    echo = undefined;
  };
  const announce = (): void => {
    echo ??= setTimeout(() => {
      echo = undefined;
      isDeaf = true;
      missed += 1;
      if (missed === MOST_MISSED) listener.deafened();
      else if (missed < MOST_MISSED) announce();
    }, ECHO_PATIENCE).unref();
    // A notice that was not sent cannot come back: the server is away.
    notify(channels.rounds, instance).catch(endEcho);
  };
  const hear = (): void => {
    endEcho();
    isDeaf = false;
    if (missed >= MOST_MISSED) listener.heardAgain();
    missed = 0;
  };
  return {
    get isListening(): boolean {
      return isDeaf === false;
    },
    listen: async () => {
      await database.listen(
        channels.rounds,
        (sender) => {
          if (sender === instance) hear();
          else listener.changed();
        },
        () => {
          listener.missed();
          announce();
        },
      );
      await database.listen(channels.signals, listener.signalled.bind(listener), () => undefined);
      await database.listen(channels.inbox, listener.added.bind(listener), () => undefined);
    },
    changed: () => {
      if (isDue) return;
      isDue = true;
      setTimeout(() => {
        isDue = false;
        announce();
      }, MERGED);
    },
    signal: (payload: string) => notify(channels.signals, payload),
  };
}
