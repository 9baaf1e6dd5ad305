import type { ChangeSource } from '../../../change/change-source.ts';
import { identifyPlaced, type SayableFiles } from '../../../judge/identify-placed.ts';
import type { Workplace } from '../../../process/part.ts';
import type { BroughtVersion, PlacedFinding } from '../../../rule-source.ts';
import { raise } from '../dependency-rules.ts';
import { type Advisory, worstOf } from './advisory.ts';
import { fixedIn } from './is-affected.ts';
import { type AdvisoryHit, matchAdvisories } from './match-advisories.ts';

export interface VulnerableRequest extends SayableFiles {
  readonly change: ChangeSource;
  readonly brought: readonly BroughtVersion[];
  readonly advisories: readonly Advisory[];
}

const maxTold = 5;

/** Finds the affected versions and their advisories, and makes a finding for each version. */
export async function work(
  { change, brought, advisories, ...sayable }: VulnerableRequest,
  place: Pick<Workplace, 'openChange'>,
) {
  const matched = matchAdvisories(brought, advisories);
  const affected = matched.map(({ version, hits }) => ({
    brought: version,
    ids: hits.map(({ advisory }) => advisory.id).sort(),
  }));
  const found = matched.map(({ version, hits }) => findingOf(version, hits));
  return { affected, findings: await identifyPlaced(found, await place.openChange(change), sayable) };
}

function findingOf(
  { ecosystem: _, name, version, path, line }: BroughtVersion,
  hits: readonly AdvisoryHit[],
): PlacedFinding {
  const told = hits.slice(0, maxTold).map(({ advisory, affected }) => {
    const fixed = fixedIn(version, affected);
    const said = advisory.summary === '' ? '' : ` (${advisory.summary.replace(/[.\s]+$/, '')})`;
    return `${advisory.id}${said}${fixed === undefined ? '' : `, fixed in ${fixed}`}`;
  });
  const more = hits.length > maxTold ? [`and ${hits.length - maxTold} more`] : [];
  const message = `\`${name}\` ${version} is affected by ${[...told, ...more].join('; ')}`;
  const severity = worstOf(hits.map(({ advisory }) => advisory.severity));
  return { ...raise('vulnerable', { path, line }, message), severity };
}
