import type { TicketGrant } from '../../domain/events/event-ticket.ts';

/** Stores the tickets that open event streams, for all replicas. A store never keeps a ticket in a usable form. */
export interface TicketStorePort {
  /**
   * Beyond `most` tickets of a caller within their life, used ones included, the oldest of them ends.
   *
   * @param life milliseconds after which the ticket expires.
   * @throws DomainError `store-unavailable`.
   */
  save(ticket: string, grant: TicketGrant, life: number, most: number): Promise<void>;

  /**
   * Removes a ticket and returns what it grants: of several concurrent callers, only one gets it.
   *
   * @throws DomainError `store-unavailable`.
   */
  take(ticket: string): Promise<TicketGrant | undefined>;
}
