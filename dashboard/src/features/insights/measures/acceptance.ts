export interface Outcomes {
  readonly posted: number;
  readonly accepted: number;
  readonly not_accepted: number;
  readonly unknown: number;
}

/** A share of comments with its confidence interval. */
export interface Acceptance {
  readonly rate: number;
  readonly low: number;
  readonly high: number;
  readonly decided: number;
}

/** With fewer comments whose outcome is known, a rate is meaningless. */
export const minDecided = 20;

const z95 = 1.959964;

/** The 95% Wilson interval of a share. */
function intervalOf(accepted: number, decided: number): Acceptance {
  const rate = accepted / decided;
  const square = z95 ** 2;
  const center = (rate + square / (2 * decided)) / (1 + square / decided);
  const half =
    (z95 * Math.sqrt((rate * (1 - rate)) / decided + square / (4 * decided ** 2))) / (1 + square / decided);
  return { rate, low: Math.max(0, center - half), high: Math.min(1, center + half), decided };
}

/** The share of accepted comments among those whose outcome is known; undefined if there is not enough data. */
export function acceptanceOf({
  accepted,
  not_accepted,
}: Pick<Outcomes, 'accepted' | 'not_accepted'>): Acceptance | undefined {
  const decided = accepted + not_accepted;
  return decided < minDecided ? undefined : intervalOf(accepted, decided);
}

/** Comments with a known probability that lines like theirs would have changed without any comment. */
export interface Compared {
  readonly decided: number;
  readonly accepted: number;
  /** How many of them would count as accepted by chance alone. */
  readonly expected: number;
}

/** How far acceptance is above what chance alone would give, in shares; undefined if there is not enough data. */
export function aboveChance({
  decided,
  accepted,
  expected,
}: Compared): (Acceptance & { chance: number }) | undefined {
  if (decided < minDecided) return undefined;
  const chance = expected / decided;
  const { rate, low, high } = intervalOf(accepted, decided);
  return { rate: rate - chance, low: low - chance, high: high - chance, decided, chance };
}
