import type { Severity } from '../finding-vocabulary.ts';

/**
 * The severity of a fault follows from its harm, whichever rule finds it. Rules take their severities from this table. Its
 * reasons are shown to people (docs/review.md), and it was compared with findings on real changes (bench/RESULTS.md).
 */
// biome-ignore format: one row per harm
export const severityTable = {
  takeover: ['critical', 'an attacker can run their own commands, code or database queries, because untrusted input reaches it'],
  credential: ['critical', 'a credential, recognized by its format, is visible to everybody who can read the repository'],
  unloadable: ['critical', 'the compiler or interpreter rejects the whole file, so nothing in it works'],
  destruction: ['critical', 'data is destroyed unintentionally'],
  unprotected: ['major', 'input is inserted into a command, a query or code, or a protection is disabled; whether an attacker controls the input is not known'],
  likelyCredential: ['major', 'something that is named like a secret and looks like one'],
  broken: ['major', 'it fails, or does not do what the code says, every time it runs'],
  lost: ['major', 'data, an error or a definition is silently discarded'],
  disabled: ['major', 'tests or a part of the program silently no longer run'],
  unreadable: ['major', 'a syntax error: programs that read the file fail, unless they support a dialect that Postil does not know'],
  sometimes: ['minor', 'it goes wrong for some values, or only under certain conditions'],
  doubtful: ['minor', 'it runs as written, but something else was probably meant'],
  exposed: ['minor', 'an attacker can exploit it only together with another fault'],
  formerCredential: ['minor', 'something that looks like a secret, in test data or in a commented-out line'],
  slow: ['minor', 'it blocks or delays other work'],
  leftover: ['minor', 'dead or redundant code: removing it changes nothing'],
  repeated: ['info', 'it works, but later changes have to be made in two places'],
} as const satisfies Readonly<Record<string, readonly [severity: Severity, reason: string]>>;

export type Harm = keyof typeof severityTable;

/** The severity of each harm. */
export const harm = Object.fromEntries(
  Object.entries(severityTable).map(([name, [severity]]) => [name, severity]),
) as { readonly [Name in Harm]: (typeof severityTable)[Name][0] };
