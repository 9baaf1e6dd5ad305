import { Counter, Gauge, Registry } from 'prom-client';

/** Holds the metrics of one server for Prometheus. */
export class MetricsRegistry extends Registry {
  /** Timeout for reading a gauge during a scrape. */
  readonly maxReadMs: number;

  constructor(maxReadMs = 2_000) {
    super();
    this.maxReadMs = maxReadMs;
  }
}

interface Named<Label extends string> {
  /** Follows Prometheus conventions: ends with a unit, or `_total` for counters. */
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly Label[];
}

/** A number that only goes up. */
export function counter<Label extends string = never>(
  registry: MetricsRegistry,
  { name, help, labels = [] }: Named<Label>,
): Counter<Label> {
  return new Counter({ name, help, labelNames: labels, registers: [registry] });
}

/** A number that goes up and down, set whenever it changes. */
export function gauge<Label extends string = never>(
  registry: MetricsRegistry,
  { name, help, labels = [] }: Named<Label>,
): Gauge<Label> {
  return new Gauge({ name, help, labelNames: labels, registers: [registry] });
}

async function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, undefined);
  });
  return Promise.race([work.catch(() => undefined), late]).finally(() => clearTimeout(timer));
}

type Sample<Label extends string> = readonly [labels: Record<Label, string>, value: number];

/** A gauge that is read on each scrape; if reading fails or takes too long, it is omitted and the other metrics are still reported. */
export function collectedGauge<Label extends string = never>(
  registry: MetricsRegistry,
  { name, help, labels = [] }: Named<Label>,
  read: () => Promise<readonly Sample<Label>[]> | readonly Sample<Label>[],
): void {
  new Gauge({
    name,
    help,
    labelNames: labels,
    registers: [registry],
    async collect() {
      const samples = await withTimeout(Promise.resolve().then(read), registry.maxReadMs);
      this.reset();
      if (labels.length === 0) this.remove();
      for (const [labelled, value] of samples ?? []) this.set(labelled, value);
    },
  });
}
