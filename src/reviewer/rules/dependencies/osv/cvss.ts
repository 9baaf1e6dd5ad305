type Weights = Readonly<Record<string, number>>;

// The weights of the specification of CVSS 3.1; those of 3.0 are the same.
const weights: Readonly<Record<string, Weights>> = {
  AV: { N: 0.85, A: 0.62, L: 0.55, P: 0.2 },
  AC: { L: 0.77, H: 0.44 },
  PR: { N: 0.85, L: 0.62, H: 0.27 },
  UI: { N: 0.85, R: 0.62 },
  C: { H: 0.56, L: 0.22, N: 0 },
  I: { H: 0.56, L: 0.22, N: 0 },
  A: { H: 0.56, L: 0.22, N: 0 },
};
const wider: Weights = { N: 0.85, L: 0.68, H: 0.5 };

/** The base score of a vector of CVSS 3, or a score that is written out; undefined for anything else. */
export function cvssScore(text: string): number | undefined {
  if (/^\d{1,2}(?:\.\d)?$/.test(text)) return Number(text);
  if (!/^CVSS:3\.[01]\//.test(text)) return undefined;
  const given = Object.fromEntries(text.split('/').map((part) => part.split(':') as [string, string]));
  const isWider = given.S === 'C';
  const values: Record<string, number> = {};
  for (const [name, table] of Object.entries(weights)) {
    const value = (name === 'PR' && isWider ? wider : table)[given[name] ?? ''];
    if (value === undefined) return undefined;
    values[name] = value;
  }
  const { AV, AC, PR, UI, C, I, A } = values as Record<keyof typeof weights, number>;
  const sub = 1 - (1 - C!) * (1 - I!) * (1 - A!);
  const impact = isWider ? 7.52 * (sub - 0.029) - 3.25 * (sub - 0.02) ** 15 : 6.42 * sub;
  if (impact <= 0) return 0;
  const total = (impact + 8.22 * AV! * AC! * PR! * UI!) * (isWider ? 1.08 : 1);
  return Math.ceil(Math.min(total, 10) * 10 - 1e-6) / 10;
}
