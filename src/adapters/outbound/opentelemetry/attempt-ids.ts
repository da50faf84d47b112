import { createHash } from 'node:crypto';
import { RandomIdGenerator, type IdGenerator } from '@opentelemetry/sdk-trace-base';

/** Hexadecimal digits. */
const TRACE_ID = 32;
const SPAN_ID = 16;

/**
 * The ids of spans. The id of an attempt's span is derived from the attempt's token, so any replica that receives the
 * report of its end makes the same span, whose children another replica may have made.
 */
export class AttemptIds implements IdGenerator {
  readonly #random = new RandomIdGenerator();
  /** The token of the attempt whose span is being made. */
  #token: string | undefined;

  /** Makes the span of an attempt. */
  during<Made>(token: string, make: () => Made): Made {
    this.#token = token;
    try {
      return make();
    } finally {
      this.#token = undefined;
    }
  }

  readonly generateTraceId = (): string =>
    this.#token === undefined
      ? this.#random.generateTraceId()
      : digest(this.#token).slice(0, TRACE_ID);

  readonly generateSpanId = (): string =>
    this.#token === undefined
      ? this.#random.generateSpanId()
      : digest(this.#token).slice(TRACE_ID, TRACE_ID + SPAN_ID);
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
