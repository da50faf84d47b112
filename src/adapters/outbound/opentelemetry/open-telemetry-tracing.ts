import {
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  type SpanOptions,
  type Tracer,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BasicTracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { AttemptEvent } from '../../../application/ports/attempt-observer.ts';
import type { LoggerPort } from '../../../application/ports/logger-port.ts';
import type {
  AddSpan,
  CallSpan,
  SpanCounts,
  TraceContext,
  TracingPort,
} from '../../../application/ports/tracing-port.ts';
import type { Startable } from '../../../application/running/startable.ts';
import type { Attempt, AttemptKey } from '../../../domain/attempts/attempt.ts';
import type { EndedCall, TakenAttempt } from '../../../domain/attempts/attempt-record.ts';
import type { AttemptEnding } from '../../../domain/attempts/ending.ts';
import type { Job } from '../../../domain/jobs/job.ts';
import type { QueueName } from '../../../domain/queues/queue-name.ts';
import { AttemptIds } from './attempt-ids.ts';
import { BoundedExport } from './bounded-export.ts';
import { carrierText, readCarrier } from './carrier.ts';

/**
 * The most jobs of an add whose attempts are its children. Attempts of larger adds are linked, since the trace would be
 * unbounded.
 */
const MOST_CHILDREN = 100;

/** The most attempts of a job that are children of its add, for the same reason. */
const MOST_ATTEMPTS = 4;

/** How long (ms) the last spans may take to be exported when the service shuts down. */
const LAST_EXPORT = 2000;

const SAMPLED = 1;

export interface TracingSettings {
  /** How attempts relate to the adds of their jobs: as traces of their own with a link, or as children. */
  readonly attempts: 'link' | 'parent';
  /** Of the service. */
  readonly version: string;
  /** The process, as its log lines name it. */
  readonly instance: string;
}

/** The outcome of a finished attempt. */
type Outcome = AttemptEnding['kind'] | 'accepted' | 'cancelled' | 'lost';

/** Outcomes that are no errors. */
const FINE: readonly string[] = ['completed', 'deferred', 'suspended'] satisfies Outcome[];

/** Traces that are exported over HTTP, as JSON. @param settings.url of the collector, for traces. */
export function openTelemetryTracing(
  { url, ...settings }: TracingSettings & { readonly url: string },
  logger: LoggerPort,
): OpenTelemetryTracing {
  return new OpenTelemetryTracing(new OTLPTraceExporter({ url }), settings, logger);
}

/**
 * Traces with the SDK of OpenTelemetry, whose own variables set the sampler (`OTEL_TRACES_SAMPLER`) and the attributes
 * of the service (`OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`). The span of an attempt begins with its call, or is
 * made as a whole at its end: nothing is kept for attempts that clients hold.
 */
export class OpenTelemetryTracing implements TracingPort, Startable {
  readonly name = 'traces';
  readonly #settings: TracingSettings;
  readonly #provider: BasicTracerProvider;
  readonly #export: BoundedExport;
  readonly #tracer: Tracer;
  readonly #ids = new AttemptIds();
  readonly #headers = new W3CTraceContextPropagator();
  /** The spans of attempts that call their endpoint. */
  readonly #calling = new WeakMap<AttemptKey, Span>();

  constructor(exporter: SpanExporter, settings: TracingSettings, logger: LoggerPort) {
    this.#settings = settings;
    this.#export = new BoundedExport(exporter, logger);
    const own = resourceFromAttributes({
      'service.name': 'jobgate',
      'service.version': settings.version,
      'service.instance.id': settings.instance,
    });
    const fromEnvironment = detectResources({ detectors: [envDetector] });
    this.#provider = new BasicTracerProvider({
      resource: defaultResource().merge(own).merge(fromEnvironment),
      idGenerator: this.#ids,
      spanProcessors: [this.#export],
    });
    this.#tracer = this.#provider.getTracer('jobgate', settings.version);
  }

  readonly counts = (): SpanCounts => this.#export.counts;

  start(): Promise<void> {
    return Promise.resolve();
  }

  /** Exports the remaining spans, as far as the collector takes them in time. */
  async stop(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, LAST_EXPORT);
    });
    await Promise.race([this.#provider.shutdown().catch(() => undefined), late]);
    clearTimeout(timer);
  }

  add(queue: QueueName, jobs: number, context: TraceContext | undefined): AddSpan {
    const span = this.#tracer.startSpan(
      `send ${queue}`,
      {
        kind: SpanKind.PRODUCER,
        attributes: { ...messaging(queue, 'send'), 'messaging.batch.message_count': jobs },
      },
      this.#contextOf(context),
    );
    const { attempts } = this.#settings;
    const isLinked = attempts === 'parent' && jobs > MOST_CHILDREN;
    const carrier = { ...this.#headersOf(span), ...(isLinked && { linked: true as const }) };
    return {
      carrier: carrierText(carrier),
      end: (error) => {
        if (error !== undefined) fail(span, error instanceof Error ? error.name : 'unknown');
        span.end();
      },
    };
  }

  call(attempt: Attempt, url: string): CallSpan {
    const process = this.#processSpan(attempt, attempt.job, Date.now());
    this.#calling.set(attempt, process);
    const { hostname, port } = new URL(url);
    const span = this.#tracer.startSpan(
      `call ${attempt.job.queue}`,
      {
        kind: SpanKind.CLIENT,
        attributes: { 'server.address': hostname, ...(port !== '' && { 'server.port': +port }) },
      },
      trace.setSpan(ROOT_CONTEXT, process),
    );
    return {
      context: this.#headersOf(span),
      traceId: traceIdOf(process),
      end: (call) => {
        endCall(span, call);
      },
    };
  }

  traceIdOf(attempt: AttemptKey, job: Job): string | undefined {
    return traceIdOf(this.#processSpan(attempt, job, Date.now()));
  }

  traceIdOfTaken({ token, starts }: TakenAttempt, carrier: string | undefined): string | undefined {
    return traceIdOf(this.#attemptSpan('process', token, carrier, starts, {}));
  }

  observe(event: AttemptEvent): void {
    const now = Date.now();
    switch (event.kind) {
      case 'ended': {
        const { attempt, result, duration } = event;
        this.#end(attempt, attempt.job, now - duration, result.ending.kind, result.ending.call);
        break;
      }
      case 'reported': {
        const { attempt, job, ending } = event;
        if (job === undefined) return;
        this.#end(attempt, job, job.processedOn ?? now, ending.kind, ending.call);
        break;
      }
      case 'cancelled': {
        const { attempt, duration } = event;
        this.#end(attempt, attempt.job, now - duration, 'cancelled');
        break;
      }
      case 'lost':
        this.#end(event.attempt, event.attempt.job, now, 'lost');
        break;
      case 'accepted':
        // The report of its end makes the same span on any replica.
        this.#calling.delete(event.attempt);
        break;
      default:
    }
  }

  #end(attempt: AttemptKey, job: Job, startedAt: number, outcome: Outcome, call?: EndedCall): void {
    const span = this.#calling.get(attempt) ?? this.#processSpan(attempt, job, startedAt);
    this.#calling.delete(attempt);
    span.setAttribute('jobgate.attempt.outcome', outcome);
    if (!FINE.includes(outcome)) fail(span, call?.outcome ?? outcome);
    span.end();
  }

  #processSpan({ token, jobId }: AttemptKey, job: Job, startTime: number): Span {
    const attributes = {
      ...messaging(job.queue, 'process'),
      'messaging.message.id': jobId,
      'jobgate.job.name': job.name,
      'jobgate.attempt.number': job.attemptsMade + 1,
    };
    const options = { startTime, attributes };
    const { attemptsStarted, opts } = job;
    return this.#attemptSpan(`process ${job.queue}`, token, opts['tm'], attemptsStarted, options);
  }

  /** The span of an attempt. @param starts how often its job had started by then, including this time. */
  #attemptSpan(
    name: string,
    token: string,
    carrierOfJob: unknown,
    starts: number,
    options: SpanOptions,
  ): Span {
    const carrier = readCarrier(carrierOfJob);
    const producer = this.#contextOf(carrier);
    const mayBeChild = carrier?.linked !== true && starts <= MOST_ATTEMPTS;
    const isChild = this.#settings.attempts === 'parent' && mayBeChild;
    const sent = trace.getSpanContext(producer);
    const isLinked = !isChild && sent !== undefined && isSpanContextValid(sent);
    return this.#ids.during(token, () =>
      this.#tracer.startSpan(
        name,
        {
          kind: SpanKind.CONSUMER,
          ...options,
          ...(isLinked && { links: [{ context: sent }] }),
        },
        isChild ? producer : ROOT_CONTEXT,
      ),
    );
  }

  /** The context that headers carry; that of a new trace if they are broken. */
  #contextOf(headers: TraceContext | undefined): Context {
    if (headers === undefined) return ROOT_CONTEXT;
    return this.#headers.extract(ROOT_CONTEXT, headers, {
      keys: (carrier: TraceContext) => Object.keys(carrier),
      get: (carrier: TraceContext, name) => carrier[name as keyof TraceContext],
    });
  }

  #headersOf(span: Span): TraceContext {
    const headers: Record<string, string> = {};
    this.#headers.inject(trace.setSpan(ROOT_CONTEXT, span), headers, {
      set: (carrier: Record<string, string>, name, value) => {
        carrier[name] = value;
      },
    });
    const { traceparent = '', tracestate } = headers;
    return tracestate === undefined ? { traceparent } : { traceparent, tracestate };
  }
}

function messaging(queue: QueueName, operation: 'send' | 'process'): Attributes {
  return {
    'messaging.system': 'jobgate',
    'messaging.destination.name': queue,
    'messaging.operation.name': operation,
    'messaging.operation.type': operation,
  };
}

function traceIdOf(span: Span): string | undefined {
  const { traceId, traceFlags } = span.spanContext();
  return (traceFlags & SAMPLED) === 0 ? undefined : traceId;
}

/** Records only the type of the failure: reasons quote endpoints and clients. */
function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function endCall(span: Span, call: EndedCall | undefined): void {
  const { outcome = 'not-made', status } = call ?? {};
  if (status !== undefined) span.setAttribute('http.response.status_code', status);
  if (!FINE.includes(outcome)) fail(span, status === undefined ? outcome : String(status));
  span.end();
}
