import type { Session } from '../../domain/access/session.ts';

/**
 * Stores sessions for all replicas until they expire. Methods throw DomainError `store-unavailable` when the store
 * cannot be reached.
 */
export interface SessionStorePort {
  /** @param life milliseconds after which the session expires. */
  create(session: Session, life: number): Promise<void>;

  find(sha256: string): Promise<Session | undefined>;

  /** Replaces a session, keeping its expiry. An expired session is not restored. */
  replace(session: Session): Promise<void>;

  /** All sessions that were opened with the token with this id. */
  ofHolder(holder: string): Promise<readonly Session[]>;

  /** @returns false when it did not exist. */
  remove(session: Session): Promise<boolean>;
}
