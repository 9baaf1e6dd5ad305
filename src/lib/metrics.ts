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

async function withinTime(work: Promise<number>): Promise<number | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, patienceMs, undefined);
  });
  return Promise.race([work.catch(() => undefined), late]).finally(() => clearTimeout(timer));
}

/** A number that is looked up when Prometheus asks; it is left out when it cannot be had, and the others are still told. */
export function lookedUpGauge(
  registry: MetricsRegistry,
  { name, help }: Named<never>,
  read: () => Promise<number> | number,
): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      const value = await withinTime(Promise.resolve().then(read));
      if (value === undefined) this.remove();
      else this.set(value);
    },
  });
}
