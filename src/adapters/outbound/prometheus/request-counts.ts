import type { Metric, Sample } from './metric.ts';

/** The methods that have a label of their own. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** Classes by the first digit of the status. The first one is for requests without an answer. */
const CLASSES = ['none', '1xx', '2xx', '3xx', '4xx', '5xx'];

/** Counts HTTP requests by how they ended. */
export class RequestCounts {
  readonly #counts = new Map<string, Map<string, Float64Array>>();

  /**
   * @param route the pattern of the path.
   * @param status undefined when the client went away before there was an answer.
   */
  ended(route: string, method: string, status: number | undefined): void {
    const label = METHODS.has(method) ? method : 'other';
    const methods = this.#counts.get(route) ?? new Map<string, Float64Array>();
    this.#counts.set(route, methods);
    const classes = methods.get(label) ?? new Float64Array(CLASSES.length);
    methods.set(label, classes);
    const index = status === undefined ? 0 : Math.floor(status / 100);
    classes[index] = (classes[index] ?? 0) + 1;
  }

  get metric(): Metric {
    return {
      name: 'jobgate_http_requests_total',
      help: 'HTTP requests by route, method and class of the status; none: their client went away before',
      type: 'counter',
      samples: () => this.#samples(),
    };
  }

  #samples(): readonly Sample[] {
    const samples: Sample[] = [];
    for (const [route, methods] of this.#counts) {
      for (const [method, classes] of methods) {
        classes.forEach((value, index) => {
          const status = CLASSES[index] as string;
          if (value > 0) samples.push({ labels: { route, method, status }, value });
        });
      }
    }
    return samples;
  }
}
