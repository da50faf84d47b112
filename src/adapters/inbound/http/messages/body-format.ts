import type { BodyLimit } from '../../exchange/request-body.ts';
import type { EventLoopTurns } from './event-loop-turns.ts';
import type { OpenApiContent } from './openapi.ts';

/** A body of more bytes takes so long to process that other clients are served before the next step. */
export const LONG_BODY = 262_144;

/** How a route reads its body. `expected` completes the sentence "expected ..." for a client. */
export interface BodyFormat<Body> {
  readonly expected: string;
  /** The body in the documentation. */
  readonly content: OpenApiContent;
  /** The value of an absent body, where it may be absent. */
  readonly whenAbsent?: Body;
  /** The limit of a body that must be smaller than most. */
  readonly limit?: BodyLimit;
  /**
   * Large bodies are read in several turns.
   *
   * @throws DomainError `invalid-request` when the bytes are not as expected.
   */
  readonly parse: (bytes: Buffer, turns: EventLoopTurns) => Body | Promise<Body>;
}
