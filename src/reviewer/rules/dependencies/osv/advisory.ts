import { type Severity, severities } from '../../../finding-vocabulary.ts';
import { type Ecosystem, ecosystems } from '../../../review-report.ts';
import { listOf, recordOf, textOf } from '../readers/json-keys.ts';
import { cvssScore } from './cvss.ts';
import { packageKey } from './package-key.ts';

/** A range of affected versions, as the events of OSV. */
export interface VersionRange {
  readonly events: readonly {
    readonly introduced?: string;
    readonly fixed?: string;
    readonly last_affected?: string;
  }[];
}

/** The affected versions of one package. */
export interface AffectedPackage {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly versions: readonly string[];
  readonly ranges: readonly VersionRange[];
}

/** The parts of an OSV document that are used. */
export interface Advisory {
  readonly id: string;
  readonly summary: string;
  readonly severity: Severity;
  readonly affected: readonly AffectedPackage[];
}

const known: ReadonlySet<string> = new Set(ecosystems);
const words: Readonly<Record<string, Severity>> = {
  CRITICAL: 'critical',
  HIGH: 'major',
  MODERATE: 'minor',
  MEDIUM: 'minor',
  LOW: 'trivial',
};
const maxSummary = 300;

/**
 * Parses an OSV document. `withdrawn` is the id of a withdrawn one. Undefined if the text is none, or is about other ecosystems.
 */
export function readAdvisory(text: string): Advisory | { readonly withdrawn: string } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const document = recordOf(value);
  const id = textOf(document.id);
  if (id === undefined || !/^[\w:.-]{1,100}$/.test(id)) return undefined;
  if (textOf(document.withdrawn) !== undefined) return { withdrawn: id };
  const affected = listOf(document.affected).flatMap((each) => affectedIn(recordOf(each)));
  if (affected.length === 0) return undefined;
  const said = textOf(document.summary) ?? textOf(document.details) ?? '';
  return {
    id,
    summary: said.split('\n')[0]!.trim().slice(0, maxSummary),
    severity: severityOf(document),
    affected,
  };
}

function affectedIn(entry: Record<string, unknown>): AffectedPackage[] {
  const { ecosystem: full, name } = recordOf(entry.package);
  const ecosystem = textOf(full)?.split(':')[0];
  if (ecosystem === undefined || !known.has(ecosystem) || textOf(name) === undefined) return [];
  const ranges = listOf(entry.ranges)
    .map((each) => recordOf(each))
    .filter(({ type }) => type === 'SEMVER' || type === 'ECOSYSTEM')
    .map(({ events }): VersionRange => ({ events: listOf(events).map((event) => textsOf(recordOf(event))) }));
  const versions = listOf(entry.versions).filter((each) => typeof each === 'string');
  const own = ecosystem as Ecosystem;
  return [{ ecosystem: own, name: packageKey(own, name as string), versions, ranges }];
}

function textsOf(event: Record<string, unknown>): VersionRange['events'][number] {
  return Object.fromEntries(
    ['introduced', 'fixed', 'last_affected'].flatMap((key) =>
      textOf(event[key]) === undefined ? [] : [[key, event[key]]],
    ),
  );
}

const middling = 4;

/** The severity that the database states, as GitHub's advisories do; otherwise by the CVSS score. */
function severityOf(document: Record<string, unknown>): Severity {
  const affected = listOf(document.affected).map((each) => recordOf(each));
  const said = [document, ...affected].flatMap((each) => [
    textOf(recordOf(each.database_specific).severity),
    textOf(recordOf(each.ecosystem_specific).severity),
  ]);
  const word = said.map((each) => words[each?.toUpperCase() ?? '']).find((each) => each !== undefined);
  if (word !== undefined) return word;
  const given = [document, ...affected]
    .flatMap((each) => listOf(each.severity))
    .flatMap((each) => textOf(recordOf(each).score) ?? []);
  const scores = given.map(cvssScore).filter((each) => each !== undefined);
  // A CVSS vector that cannot be evaluated here counts as medium: it must not make the advisory trivial.
  const unread = scores.length === 0 && given.some((each) => /^CVSS:\d/.test(each)) ? [middling] : [];
  const score = Math.max(0, ...scores, ...unread);
  return score >= 9 ? 'critical' : score >= 7 ? 'major' : score >= 4 ? 'minor' : 'trivial';
}

/** The worst of several severities; `trivial` if there are none. */
export function worstOf(some: readonly Severity[]): Severity {
  return severities.find((severity) => some.includes(severity)) ?? 'trivial';
}
