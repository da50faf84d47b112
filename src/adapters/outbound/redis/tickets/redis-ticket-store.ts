import { createHash } from 'node:crypto';
import type { TicketStorePort } from '../../../../application/ports/ticket-store-port.ts';
import type { EventGrant } from '../../../../domain/events/event-ticket.ts';
import type { Script } from '../connection/scripts.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { ownKey } from '../layout/own-keys.ts';

/** KEYS: the ticket. Answers what it grants, or nothing. */
const takeTicketScript: Script = {
  name: 'takeTicket',
  numberOfKeys: 1,
  lua: `
local grant = redis.call("GET", KEYS[1])
redis.call("DEL", KEYS[1])
return grant
`,
};

/** Tickets by their digests, each a key that goes by itself. */
export class RedisTicketStore implements TicketStorePort {
  readonly #commands: StoreCommands;
  readonly #prefix: string;

  constructor(commands: StoreCommands, prefix: string) {
    this.#commands = commands;
    this.#prefix = prefix;
  }

  async save(ticket: string, grant: EventGrant, life: number): Promise<void> {
    const { client, errors } = this.#commands;
    await errors.run(() => client.set(this.#key(ticket), JSON.stringify(grant), 'PX', life));
  }

  async take(ticket: string): Promise<EventGrant | undefined> {
    const grant = await this.#commands.scripts.run(takeTicketScript, [this.#key(ticket)], []);
    return typeof grant === 'string' ? (JSON.parse(grant) as EventGrant) : undefined;
  }

  #key(ticket: string): string {
    const digest = createHash('sha256').update(ticket).digest('base64url');
    return ownKey(this.#prefix, `ticket:${digest}`);
  }
}
