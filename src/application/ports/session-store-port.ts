import type { Session } from '../../domain/access/session.ts';
import type { Natures } from './nature.ts';

/** Returns the changed session, or undefined to leave it as it is. */
export type SessionChange = (session: Session) => Session | undefined;

/**
 * Stores sessions for all replicas until they expire. Methods throw DomainError `store-unavailable` when the store
 * cannot be reached.
 */
export interface SessionStorePort {
  /**
   * Stores a session. Beyond the most that its token may have, the oldest one of the token ends.
   *
   * @param life milliseconds after which the session expires, the same for all sessions of a holder.
   */
  create(session: Session, life: number, most: number): Promise<void>;

  find(sha256: string): Promise<Session | undefined>;

  /**
   * Changes a session in one step, keeping its expiry: no other change comes in between. `change` may be called several
   * times.
   *
   * @returns the session afterwards; undefined when it has expired.
   */
  change(sha256: string, change: SessionChange): Promise<Session | undefined>;

  /** All sessions that were opened with the token with this id: no more than `create` allowed. */
  ofHolder(holder: string): Promise<readonly Session[]>;

  /** @returns false when it did not exist. */
  remove(session: Session): Promise<boolean>;
}

export const SESSION_NATURES: Natures<SessionStorePort> = {
  create: 'changes',
  find: 'looks',
  change: 'changes',
  ofHolder: 'looks',
  remove: 'changes',
};
