import type { TicketGrant } from '../../domain/events/event-ticket.ts';

/**
 * Stores the tickets that open event streams, for all replicas. A store keeps no ticket in a form in which it could be
 * used.
 */
export interface TicketStorePort {
  /**
   * @param life milliseconds after which the ticket is gone.
   * @throws DomainError `store-unavailable`.
   */
  save(ticket: string, grant: TicketGrant, life: number): Promise<void>;

  /**
   * Removes a ticket and returns what it grants: of several callers at once, one gets it.
   *
   * @throws DomainError `store-unavailable`.
   */
  take(ticket: string): Promise<TicketGrant | undefined>;
}
