/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { TicketStorePort } from '../../../../application/ports/ticket-store-port.ts';
import type { TicketGrant } from '../../../../domain/events/event-ticket.ts';

interface IssuedTicket {
  readonly grant: TicketGrant;
  /** Epoch ms. */
  readonly endsAt: number;
}

/** Tickets in the memory of this process. */
export class MemoryTicketStore implements TicketStorePort {
  readonly #clock: ClockPort;
  /** In the order of issue, which is also the order of expiry, since all last equally long. */
  readonly #tickets = new Map<string, IssuedTicket>();

  constructor(clock: ClockPort) {
    this.#clock = clock;
  }

  async save(ticket: string, grant: TicketGrant, life: number): Promise<void> {
    const now = this.#clock.now();
    for (const [old, { endsAt }] of this.#tickets) {
      if (endsAt > now) break;
      this.#tickets.delete(old);
    }
    this.#tickets.set(ticket, { grant: structuredClone(grant), endsAt: now + life });
  }

  async take(ticket: string): Promise<TicketGrant | undefined> {
    const issued = this.#tickets.get(ticket);
    this.#tickets.delete(ticket);
    return issued !== undefined && issued.endsAt > this.#clock.now() ? issued.grant : undefined;
  }
}
