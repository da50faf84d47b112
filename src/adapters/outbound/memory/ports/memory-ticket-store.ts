/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { TicketStorePort } from '../../../../application/ports/ticket-store-port.ts';
import type { TicketGrant } from '../../../../domain/events/event-ticket.ts';

interface IssuedTicket {
  /** Undefined once the ticket is used. */
  grant: TicketGrant | undefined;
  /** Epoch ms. */
  readonly endsAt: number;
}

/** Tickets in the memory of this process. */
export class MemoryTicketStore implements TicketStorePort {
  readonly #clock: ClockPort;
  /** By the ids of their callers, in the order of issue, which is also that of expiry: all last equally long. */
  readonly #callers = new Map<string, Map<string, IssuedTicket>>();

  constructor(clock: ClockPort) {
    this.#clock = clock;
  }

  async save(ticket: string, grant: TicketGrant, life: number, most: number): Promise<void> {
    const now = this.#clock.now();
    this.#forgetExpired(now);
    const { id } = grant.caller;
    const tickets = this.#callers.get(id) ?? new Map<string, IssuedTicket>();
    const [oldest] = tickets.keys();
    if (oldest !== undefined && tickets.size >= most) tickets.delete(oldest);
    tickets.set(ticket, { grant: structuredClone(grant), endsAt: now + life });
    this.#callers.set(id, tickets);
  }

  async take(ticket: string): Promise<TicketGrant | undefined> {
    this.#forgetExpired(this.#clock.now());
    for (const tickets of this.#callers.values()) {
      const issued = tickets.get(ticket);
      if (issued === undefined) continue;
      const { grant } = issued;
      issued.grant = undefined;
      return grant;
    }
    return undefined;
  }

  #forgetExpired(now: number): void {
    for (const [id, tickets] of this.#callers) {
      for (const [ticket, { endsAt }] of tickets) {
        if (endsAt > now) break;
        tickets.delete(ticket);
      }
      if (tickets.size === 0) this.#callers.delete(id);
    }
  }
}
