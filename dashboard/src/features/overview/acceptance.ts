export interface Outcomes {
  readonly posted: number;
  readonly accepted: number;
  readonly not_accepted: number;
  readonly unknown: number;
}

/** The share of accepted comments among those whose outcome is known, with its confidence interval. */
export interface Acceptance {
  readonly rate: number;
  readonly low: number;
  readonly high: number;
  readonly decided: number;
}

/** With fewer comments whose outcome is known, a rate is meaningless. */
export const minDecided = 20;

const z95 = 1.959964;

/** The acceptance rate with its 95% Wilson interval; undefined if there is not enough data. */
export function acceptanceOf({ accepted, not_accepted }: Outcomes): Acceptance | undefined {
  const decided = accepted + not_accepted;
  if (decided < minDecided) return undefined;
  const rate = accepted / decided;
  const square = z95 ** 2;
  const center = (rate + square / (2 * decided)) / (1 + square / decided);
  const half =
    (z95 * Math.sqrt((rate * (1 - rate)) / decided + square / (4 * decided ** 2))) / (1 + square / decided);
  return { rate, low: Math.max(0, center - half), high: Math.min(1, center + half), decided };
}
