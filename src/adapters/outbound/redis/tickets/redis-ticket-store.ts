import { createHash } from 'node:crypto';
import type { TicketStorePort } from '../../../../application/ports/ticket-store-port.ts';
import type { TicketGrant } from '../../../../domain/events/event-ticket.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { ownKey } from '../layout/own-keys.ts';
import { luaScript } from '../lua/load.ts';

const saveTicketScript = luaScript('save-ticket');
const takeTicketScript = luaScript('take-ticket');

/** Tickets by their digests, each in a key that expires. */
export class RedisTicketStore implements TicketStorePort {
  readonly #commands: StoreCommands;
  readonly #prefix: string;

  constructor(commands: StoreCommands, prefix: string) {
    this.#commands = commands;
    this.#prefix = prefix;
  }

  async save(ticket: string, grant: TicketGrant, life: number, most: number): Promise<void> {
    const keys = [this.#key(ticket), ownKey(this.#prefix, `tickets:${grant.caller.id}`)];
    const values = [JSON.stringify(grant), life, most];
    await this.#commands.scripts.run(saveTicketScript, keys, values);
  }

  async take(ticket: string): Promise<TicketGrant | undefined> {
    const grant = await this.#commands.scripts.run(takeTicketScript, [this.#key(ticket)], []);
    if (typeof grant !== 'string') return undefined;
    const { grant: granted, caller } = JSON.parse(grant) as Partial<TicketGrant>;
    // A ticket from a version before tickets recorded their caller is no longer valid.
    return granted && caller ? { grant: granted, caller } : undefined;
  }

  #key(ticket: string): string {
    const digest = createHash('sha256').update(ticket).digest('base64url');
    return ownKey(this.#prefix, `ticket:${digest}`);
  }
}
