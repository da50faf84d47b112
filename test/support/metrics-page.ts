/** A page in the text format of Prometheus, by its lines. */
export class MetricsPage {
  readonly #values = new Map<string, number>();

  /** @throws Error at a line that breaks the format, and at one that is there twice. */
  constructor(readonly text: string) {
    for (const line of text.split('\n')) {
      if (line === '' || line.startsWith('# ')) continue;
      const [, series, value] = /^([a-z_][a-z0-9_]*(?:\{.*\})?) (\S+)$/i.exec(line) ?? [];
      if (series === undefined || this.#values.has(series)) throw new Error(`Bad line: ${line}`);
      this.#values.set(series, Number(value));
    }
  }

  /** The value of a series such as `jobgate_jobs{queue="mail",state="waiting"}`. */
  value(series: string): number | undefined {
    return this.#values.get(series);
  }

  /** The values of a metric by one of its labels; those of equal labels together. */
  by(label: string, metric: string): Readonly<Record<string, number>> {
    const values: Record<string, number> = {};
    for (const [series, value] of this.#values) {
      if (!series.startsWith(`${metric}{`)) continue;
      const name = new RegExp(`[{,]${label}="([^"]*)"`).exec(series)?.[1] ?? '';
      values[name] = (values[name] ?? 0) + value;
    }
    return values;
  }
}
