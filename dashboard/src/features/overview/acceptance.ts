export interface Outcomes {
  readonly posted: number;
  readonly accepted: number;
  readonly not_accepted: number;
  readonly unknown: number;
}

/** The share of accepted comments among those whose outcome is known, with the range it plausibly lies in. */
export interface Acceptance {
  readonly rate: number;
  readonly low: number;
  readonly high: number;
  readonly decided: number;
}

/** Below this many comments with a known outcome a rate says nothing. */
export const leastDecided = 20;

const z95 = 1.959964;

/** Wilson's 95 % interval of the acceptance rate; undefined where there is not enough data. */
export function acceptanceOf({ accepted, not_accepted }: Outcomes): Acceptance | undefined {
  const decided = accepted + not_accepted;
  if (decided < leastDecided) return undefined;
  const rate = accepted / decided;
  const square = z95 ** 2;
  const centre = (rate + square / (2 * decided)) / (1 + square / decided);
  const half =
    (z95 * Math.sqrt((rate * (1 - rate)) / decided + square / (4 * decided ** 2))) / (1 + square / decided);
  return { rate, low: Math.max(0, centre - half), high: Math.min(1, centre + half), decided };
}
