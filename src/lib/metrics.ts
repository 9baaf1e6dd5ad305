import { Counter, Gauge, type Registry } from 'prom-client';

/** Where the numbers of this process are kept for Prometheus. */
export type MetricsRegistry = Registry;

interface Named<Label extends string> {
  /** By the conventions of Prometheus: with a unit, and `_total` for what is counted. */
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly Label[];
}

/** A number that only grows. */
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

const patienceMs = 2_000;

async function withinTime<T>(work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, patienceMs, undefined);
  });
  return Promise.race([work.catch(() => undefined), late]).finally(() => clearTimeout(timer));
}

type Sample<Label extends string> = readonly [labels: Record<Label, string>, value: number];

/** Numbers that are looked up when Prometheus asks; they are left out when they cannot be had, and the others are still told. */
export function lookedUpGauge<Label extends string = never>(
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
      const samples = await withinTime(Promise.resolve().then(read));
      this.reset();
      if (labels.length === 0) this.remove();
      for (const [labelled, value] of samples ?? []) this.set(labelled, value);
    },
  });
}
