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
    'Version with a known vulnerability',
    'The change adds a version that is affected according to an advisory.',
    'CWE-1395',
  ],
  'out-of-step': [
    harm.broken,
    stability,
    'Manifest and lock file do not match',
    'An installation from the lock file fails, or installs something other than what was tested.',
  ],
  'source-changed': [
    harm.takeover,
    security,
    'New download source or missing checksum of a package',
    'It may be a different package with the same name. Whoever controls the source decides what is installed.',
    'CWE-494',
  ],
  'install-script': [
    harm.exposed,
    security,
    'New package with an install script',
    'The script runs with the permissions of everybody who installs the package, on build servers as well.',
    'CWE-506',
  ],
  'look-alike': [
    harm.unprotected,
    security,
    'Package name similar to another dependency',
    'Names that differ by one letter are a known way to trick somebody into installing a malicious package (typosquatting).',
    'CWE-1357',
  ],
  licence: [
    'major',
    correctness,
    'Licence that this repository does not accept',
    'The accepted licences are configured in `reviews.dependencies.licences`.',
  ],
  'unpinned-action': [
    harm.exposed,
    security,
    'Third-party action is not pinned to a commit',
    'Its owner can point the tag or branch to other code at any time, and that code can use the secrets of the workflow.',
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
