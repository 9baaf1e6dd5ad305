/** Values of a function at even steps, for linear interpolation. */
function tabulate(from: number, to: number, steps: number, at: (x: number) => number): Float64Array {
  return Float64Array.from({ length: steps + 2 }, (_, index) => at(from + ((to - from) * index) / steps));
}

const EXPONENTIAL_FROM = -20;
const EXPONENTIAL_STEPS = 8192;
const exponentials = tabulate(EXPONENTIAL_FROM, 0, EXPONENTIAL_STEPS, Math.exp);

/** e to the power of a number that is not positive, to six digits; several times faster than Math.exp. */
export function exponential(x: number): number {
  if (x <= EXPONENTIAL_FROM) return 0;
  const place = (x - EXPONENTIAL_FROM) * (EXPONENTIAL_STEPS / -EXPONENTIAL_FROM);
  const index = place | 0;
  const low = exponentials[index]!;
  return low + (exponentials[index + 1]! - low) * (place - index);
}

const GELU_RANGE = 8;
const GELU_STEPS = 16_384;
const gelus = tabulate(
  -GELU_RANGE,
  GELU_RANGE,
  GELU_STEPS,
  (x) => 0.5 * x * (1 + errorFunction(x / Math.SQRT2)),
);

/** The activation between the two layers of a block, on every value in place. */
export function gelu(values: Float32Array): void {
  for (let index = 0; index < values.length; index += 1) {
    const x = values[index]!;
    if (x >= GELU_RANGE) continue;
    if (x <= -GELU_RANGE) {
      values[index] = 0;
      continue;
    }
    const place = (x + GELU_RANGE) * (GELU_STEPS / (2 * GELU_RANGE));
    const at = place | 0;
    const low = gelus[at]!;
    values[index] = low + (gelus[at + 1]! - low) * (place - at);
  }
}

/** Numerical Recipes' complementary error function, to seven digits. */
function errorFunction(x: number): number {
  const t = 1 / (1 + 0.5 * Math.abs(x));
  const series = [
    1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587, -0.82215223,
    0.17087277,
  ];
  const sum = series.reduceRight((rest, coefficient) => coefficient + t * rest, 0);
  const complement = t * Math.exp(-x * x - 1.26551223 + t * sum);
  return x >= 0 ? 1 - complement : complement - 1;
}

/** The factor and the addend for each column of a normalised row. */
export interface RowNormalisation {
  readonly scale: Float32Array;
  readonly shift: Float32Array;
}

/** Normalises every row to mean 0 and variance 1, then scales and shifts each column, in place. */
export function normaliseRows(
  values: Float32Array,
  columns: number,
  { scale, shift }: RowNormalisation,
  epsilon: number,
): void {
  for (let start = 0; start < values.length; start += columns) {
    let sum = 0;
    for (let index = 0; index < columns; index += 1) sum += values[start + index]!;
    const mean = sum / columns;
    let squares = 0;
    for (let index = 0; index < columns; index += 1) squares += (values[start + index]! - mean) ** 2;
    const factor = 1 / Math.sqrt(squares / columns + epsilon);
    for (let index = 0; index < columns; index += 1) {
      values[start + index] = (values[start + index]! - mean) * factor * scale[index]! + shift[index]!;
    }
  }
}
