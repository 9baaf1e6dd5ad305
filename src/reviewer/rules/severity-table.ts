import type { Severity } from '../finding-vocabulary.ts';

/**
 * The severity of a fault follows from its harm, whichever rule finds it. Rules take their severities from this table. Its
 * reasons are shown to people (docs/review.md), and it was compared with findings on real changes (bench/RESULTS.md).
 */
// biome-ignore format: one row per harm
export const severityTable = {
  takeover: ['critical', 'strangers can run commands or code, or ask the database what they like: their own text reaches it'],
  credential: ['critical', 'a credential, known by its form, belongs to everybody who reads the repository'],
  unloadable: ['critical', 'the language refuses the whole file, so nothing in it works'],
  destruction: ['critical', 'data is destroyed that nobody meant'],
  unprotected: ['major', 'a composed text becomes a command, a query or code, or a protection is switched off; who chooses the text is not known'],
  likelyCredential: ['major', 'something is called a secret and looks like one'],
  broken: ['major', 'it fails, or does something else than it says, whenever it runs'],
  lost: ['major', 'data, an error or a definition is dropped without a word'],
  disabled: ['major', 'tests or a part of the program no longer run, and nothing says so'],
  unreadable: ['major', 'whatever reads the file fails, unless it knows a dialect that is not known here'],
  sometimes: ['minor', 'it is wrong for some values, or at some moments'],
  doubtful: ['minor', 'it runs as it is written, but something else was probably meant'],
  exposed: ['minor', 'it helps an attacker only together with another fault'],
  formerCredential: ['minor', 'something that looks like a secret, in test data or in a line that is commented out'],
  slow: ['minor', 'others wait meanwhile'],
  leftover: ['minor', 'nothing changes when it goes'],
  repeated: ['info', 'it works, and will have to be changed in two places'],
} as const satisfies Readonly<Record<string, readonly [severity: Severity, reason: string]>>;

export type Harm = keyof typeof severityTable;

/** The severity of each harm. */
export const harm = Object.fromEntries(
  Object.entries(severityTable).map(([name, [severity]]) => [name, severity]),
) as { readonly [Name in Harm]: (typeof severityTable)[Name][0] };
