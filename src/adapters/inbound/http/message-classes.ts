import { IncomingMessage, ServerResponse, type ServerOptions } from 'node:http';
import type { Express } from 'express';

/** The classes by which a server makes its requests and responses. */
export type MessageClasses = Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;

/** The first version of Node whose objects take another prototype without becoming slow. */
const FAST_SINCE = 24;

/**
 * Express gives every request and response a prototype of its own. Up to Node 22 an object whose
 * prototype changes is slow from then on, which costs half the throughput; here they have it from birth,
 * and the change changes nothing. From Node 24 on the detour would cost more than it saves.
 */
export function messageClasses(app: Express): MessageClasses {
  if (Number.parseInt(process.versions.node, 10) >= FAST_SINCE) return {};
  return {
    IncomingMessage: withPrototype(IncomingMessage, app.request),
    ServerResponse: withPrototype(ServerResponse, app.response),
  };
}

/** Called as a function, the base class fills in the new object without knowing of its prototype. */
function withPrototype<Base extends typeof IncomingMessage | typeof ServerResponse>(
  base: Base,
  prototype: object,
): Base {
  const construct = base as unknown as (this: object, first: unknown, second: unknown) => void;
  function Message(this: object, first: unknown, second: unknown): void {
    construct.call(this, first, second);
  }
  Message.prototype = prototype;
  return Message as unknown as Base;
}
