import type { RelatedPlace } from '../../finding.ts';
import { maxRelated } from '../../finding.ts';
import type { PlacedFinding } from '../../rule-source.ts';
import { correctness, describeFinding, type RuleTable, security, stability } from '../rule-facts.ts';
import { harm } from '../severity-table.ts';

/** The findings about dependencies. The severity of `vulnerable` is that of the advisory. */
export const dependencyRules = {
  vulnerable: [
    harm.unprotected,
    security,
    'A version with a known vulnerability',
    'The change brings a version that an advisory calls affected.',
    'CWE-1395',
  ],
  'out-of-step': [
    harm.broken,
    stability,
    'Manifest and lock file do not agree',
    'An installation that follows the lock file fails, or brings something else than what was tested.',
  ],
  'source-changed': [
    harm.takeover,
    security,
    'A package comes from elsewhere, or unchecked',
    'It may be another one of the same name. Whoever controls that place decides what is installed.',
    'CWE-494',
  ],
  'install-script': [
    harm.exposed,
    security,
    'A new package runs a script when it is installed',
    'The script runs with the rights of everybody who installs it, on build servers as well.',
    'CWE-506',
  ],
  'look-alike': [
    harm.unprotected,
    security,
    'The name looks like that of another dependency',
    'Names that differ by a letter are a known way to have somebody install a foreign package.',
    'CWE-1357',
  ],
  licence: [
    'major',
    correctness,
    'The licence is not one that this repository accepts',
    'The configuration says which licences are: `reviews.dependencies.licences`.',
  ],
  'unpinned-action': [
    harm.exposed,
    security,
    'An action of others is not pinned to a commit',
    'Its owner can put other code behind the tag at any time, and it runs with the secrets of the workflow.',
    'CWE-829',
  ],
} as const satisfies RuleTable;

export type DependencyRule = keyof typeof dependencyRules;

/**
 * The place of a finding: a line in the new version of a file, or in the old one if `side` says so. Null for the file as a whole.
 */
export interface DependencyPlace {
  readonly path: string;
  readonly side?: 'old';
  readonly line: number | null;
}

export function raise(
  rule: DependencyRule,
  place: DependencyPlace,
  message: string,
  related: readonly RelatedPlace[] = [],
): PlacedFinding {
  return {
    ...describeFinding(dependencyRules[rule], message),
    path: place.path,
    side: place.side ?? 'new',
    startLine: place.line,
    endLine: place.line,
    rule: `dependencies/${rule}`,
    related: related.slice(0, maxRelated),
  };
}

const maxNamed = 5;

/** Joins names for a message: `a, b and 3 more`, each formatted as code. */
export function named(names: readonly string[]): string {
  const shown = names.slice(0, maxNamed).map((name) => `\`${name}\``);
  if (names.length > maxNamed) return `${shown.join(', ')} and ${names.length - maxNamed} more`;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}
