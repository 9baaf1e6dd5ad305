/** 95 % of a standard normal distribution is within this many standard deviations. */
const deviations = 1.959964;

/** Wilson's 95 % interval for the share `part / whole`; it has a width even if none or all are counted. */
export function shareInterval(part: number, whole: number): { readonly low: number; readonly high: number } {
  if (whole === 0) return { low: 0, high: 1 };
  const z2 = deviations ** 2;
  const share = part / whole;
  const spread = deviations * Math.sqrt((share * (1 - share) + z2 / (4 * whole)) / whole);
  const middle = share + z2 / (2 * whole);
  const scale = 1 + z2 / whole;
  return { low: Math.max(0, (middle - spread) / scale), high: Math.min(1, (middle + spread) / scale) };
}
