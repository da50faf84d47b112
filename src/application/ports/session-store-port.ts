import type { Session } from '../../domain/access/session.ts';

/**
 * Stores sessions for all replicas, each until its life is over. Methods throw DomainError `store-unavailable` when the
 * store cannot be reached.
 */
export interface SessionStorePort {
  /** @param life milliseconds after which the session is gone. */
  create(session: Session, life: number): Promise<void>;

  find(sha256: string): Promise<Session | undefined>;

  /** Stores a session in place of what it was, for the rest of its life. One that is gone stays gone. */
  replace(session: Session): Promise<void>;

  /** All sessions that were opened with the token of an id. */
  ofHolder(holder: string): Promise<readonly Session[]>;

  /** @returns false when there was none. */
  remove(session: Session): Promise<boolean>;
}
