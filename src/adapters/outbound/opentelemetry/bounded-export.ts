import { ExportResultCode } from '@opentelemetry/core';
import { BatchSpanProcessor, type ReadableSpan } from '@opentelemetry/sdk-trace-base';
import type { Context } from '@opentelemetry/api';
import type { Span, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { SpanCounts } from '../../../application/ports/tracing-port.ts';
import type { LoggerPort } from '../../../application/ports/logger-port.ts';

/** The most spans that wait for the collector or are on their way to it. Further spans are dropped. */
const MOST_SPANS = 4096;

const SPANS_PER_EXPORT = 512;

/** The longest wait (ms) before spans are exported. */
const DELAY = 1000;

/** The bit for recorded spans among the flags of a trace. */
const SAMPLED = 1;

type Export = SpanExporter['export'];

/**
 * Exports spans in batches, and counts them. Its memory is bounded no matter what the collector does: the library's own
 * processor is never given more spans than it keeps, so none is dropped without being counted.
 */
export class BoundedExport implements SpanProcessor {
  readonly #batches: BatchSpanProcessor;
  readonly #logger: LoggerPort;
  #pending = 0;
  #exported = 0;
  #dropped = 0;
  #isFailing = false;

  constructor(exporter: SpanExporter, logger: LoggerPort) {
    this.#logger = logger;
    const counted: SpanExporter = {
      export: (spans, done) => {
        this.#export(exporter, spans, done);
      },
      shutdown: () => exporter.shutdown(),
    };
    this.#batches = new BatchSpanProcessor(counted, {
      maxQueueSize: MOST_SPANS,
      maxExportBatchSize: SPANS_PER_EXPORT,
      scheduledDelayMillis: DELAY,
    });
  }

  get counts(): SpanCounts {
    return { exported: this.#exported, dropped: this.#dropped };
  }

  onStart(span: Span, parent: Context): void {
    this.#batches.onStart(span, parent);
  }

  onEnd(span: ReadableSpan): void {
    if ((span.spanContext().traceFlags & SAMPLED) === 0) return;
    if (this.#pending >= MOST_SPANS) {
      this.#dropped += 1;
      return;
    }
    this.#pending += 1;
    this.#batches.onEnd(span);
  }

  forceFlush(): Promise<void> {
    return this.#batches.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.#batches.shutdown();
  }

  #export(exporter: SpanExporter, spans: ReadableSpan[], done: Parameters<Export>[1]): void {
    exporter.export(spans, (result) => {
      this.#pending -= spans.length;
      const isSuccess = result.code === ExportResultCode.SUCCESS;
      if (isSuccess) this.#exported += spans.length;
      else this.#dropped += spans.length;
      this.#note(isSuccess, result.error);
      done(result);
    });
  }

  /** Logs a line when the collector goes away, and one when it is back. */
  #note(isSuccess: boolean, error: Error | undefined): void {
    if (isSuccess === !this.#isFailing) return;
    this.#isFailing = !isSuccess;
    if (isSuccess) this.#logger.info('Traces are exported again', { dropped: this.#dropped });
    else this.#logger.warn('Traces cannot be exported, and are dropped meanwhile', { error });
  }
}
