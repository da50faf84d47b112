import type { Session } from '../../domain/access/session.ts';
import type { Natures } from './nature.ts';

/**
 * Stores sessions for all replicas until they expire. Methods throw DomainError `store-unavailable` when the store
 * cannot be reached.
 */
export interface SessionStorePort {
  /**
   * Stores a session. Beyond the most that its token may have, the oldest one of the token ends.
   *
   * @param life milliseconds after which the session expires, the same for all sessions.
   */
  create(session: Session, life: number, most: number): Promise<void>;

  find(sha256: string): Promise<Session | undefined>;

  /**
   * Replaces a session, keeping its expiry, if it still is as before.
   *
   * @returns false when it is not: it has changed, or has expired.
   */
  replace(session: Session, before: Session): Promise<boolean>;

  /** All sessions that were opened with the token with this id: no more than `create` allowed. */
  ofHolder(holder: string): Promise<readonly Session[]>;

  /** @returns false when it did not exist. */
  remove(session: Session): Promise<boolean>;
}

export const SESSION_NATURES: Natures<SessionStorePort> = {
  create: 'changes',
  find: 'looks',
  replace: 'changes',
  ofHolder: 'looks',
  remove: 'changes',
};
