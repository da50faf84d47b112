import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

type Value = Readonly<Record<string, unknown>>;

interface ExportedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Value }[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status: { readonly code?: number };
}

interface ExportRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly { readonly key: string }[] };
    readonly scopeSpans: readonly { readonly spans: readonly ExportedSpan[] }[];
  }[];
}

/** Of the protocol. */
const KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'];

const ERROR = 2;

/** A span as the collector received it. */
export interface CollectedSpan extends Pick<ExportedSpan, 'traceId' | 'spanId' | 'name'> {
  readonly parent: string | undefined;
  readonly kind: string | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly hasFailed: boolean;
  /** Milliseconds. */
  readonly duration: number;
}

/** A collector of OpenTelemetry that takes traces over HTTP, as JSON. */
export class TraceCollector {
  readonly spans: CollectedSpan[] = [];
  /** Whether it is out of order. */
  isBroken = false;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      void (async () => {
        const body = (await json(request)) as ExportRequest;
        const isTaken = !this.isBroken && request.url === '/v1/traces';
        if (isTaken) this.#take(body);
        response.writeHead(isTaken ? 200 : 400, { 'content-type': 'application/json' });
        response.end('{}');
      })();
    });
  }

  static async start(): Promise<TraceCollector> {
    const collector = new TraceCollector();
    collector.#server.listen(0, '127.0.0.1');
    await once(collector.#server, 'listening');
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  named(name: string): readonly CollectedSpan[] {
    return this.spans.filter((span) => span.name === name);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #take({ resourceSpans }: ExportRequest): void {
    for (const { scopeSpans } of resourceSpans) {
      for (const { spans } of scopeSpans) this.spans.push(...spans.map(collected));
    }
  }
}

function collected(span: ExportedSpan): CollectedSpan {
  const { traceId, spanId, name, kind, parentSpanId, links = [], status } = span;
  const [start, end] = [span.startTimeUnixNano, span.endTimeUnixNano].map(Number);
  return {
    traceId,
    spanId,
    name,
    parent: parentSpanId === '' ? undefined : parentSpanId,
    kind: KINDS[kind],
    attributes: Object.fromEntries(
      span.attributes.map(({ key, value }) => [key, Object.values(value)[0]]),
    ),
    links: links.map((link) => ({ traceId: link.traceId, spanId: link.spanId })),
    hasFailed: status.code === ERROR,
    duration: (end! - start!) / 1e6,
  };
}
