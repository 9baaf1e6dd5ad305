import type { Severity } from '../../../finding-vocabulary.ts';
import type { Ecosystem } from '../../../review-report.ts';
import { type Advisory, worstOf } from './advisory.ts';
import { matchAdvisories } from './match-advisories.ts';

export interface AffectedRequest {
  readonly versions: readonly {
    readonly ecosystem: Ecosystem;
    readonly name: string;
    readonly version: string;
  }[];
  readonly advisories: readonly Advisory[];
}

/** An affected version, with its advisories and the worst of their severities. */
export interface AffectedVersion {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly version: string;
  readonly ids: readonly string[];
  readonly severity: Severity;
}

/** Finds the affected versions, and their advisories. */
export async function work({ versions, advisories }: AffectedRequest): Promise<AffectedVersion[]> {
  return matchAdvisories(versions, advisories).map(({ version: { ecosystem, name, version }, hits }) => ({
    ecosystem,
    name,
    version,
    ids: hits.map(({ advisory }) => advisory.id).sort(),
    severity: worstOf(hits.map(({ advisory }) => advisory.severity)),
  }));
}
