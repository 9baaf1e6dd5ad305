import { seededRandom } from '../../lib/seeded-random.ts';
import { shareInterval } from '../judge/share-interval.ts';

/** The counts of one case. */
export interface CaseCounts {
  /** The number of findings that were raised. */
  readonly raised: number;
  /** The number of expected findings. */
  readonly golden: number;
  /** The number of raised findings that were expected. */
  readonly matched: number;
}

/** A figure with its 95 % confidence interval; null if there is nothing to divide by. */
export interface Estimate {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

export interface Score {
  readonly precision: Estimate;
  readonly recall: Estimate;
  readonly f1: Estimate;
}

const samples = 1_000;

interface Figures {
  readonly precision: number | null;
  readonly recall: number | null;
  readonly f1: number | null;
}

function figuresOf(cases: readonly CaseCounts[]): Figures {
  let raised = 0;
  let golden = 0;
  let matched = 0;
  for (const counts of cases) {
    raised += counts.raised;
    golden += counts.golden;
    matched += counts.matched;
  }
  return {
    precision: raised === 0 ? null : matched / raised,
    recall: golden === 0 ? null : matched / golden,
    f1: raised + golden === 0 ? null : (2 * matched) / (raised + golden),
  };
}

/** The figures over all findings. Intervals are bootstrapped from whole cases: findings of one change are not independent. */
export function scoreCases(cases: readonly CaseCounts[]): Score {
  // A fixed seed, so that equal results have equal intervals.
  const random = seededRandom(20_260_101);
  const drawn = Array.from({ length: cases.length === 0 ? 0 : samples }, () =>
    figuresOf(cases.map(() => random.pick(cases))),
  );
  const whole = figuresOf(cases);
  const estimate = (name: keyof Figures): Estimate => {
    const values = drawn.flatMap((figures) => figures[name] ?? []).sort((a, b) => a - b);
    const at = (share: number) =>
      values[Math.min(Math.floor(share * values.length), values.length - 1)] ?? null;
    const [value, low, high] = [whole[name], at(0.025), at(0.975)];
    // If all cases are equal, so are all samples, and the interval has to come from the number of cases.
    if (value === null || low !== high) return { value, low, high };
    const count = cases.filter((each) => figuresOf([each])[name] !== null).length;
    return { value, ...shareInterval(value * count, count) };
  };
  return { precision: estimate('precision'), recall: estimate('recall'), f1: estimate('f1') };
}
