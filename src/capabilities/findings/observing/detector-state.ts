import type { LastLook } from '../../reviews/run-findings/list-posted-findings.ts';
import { nearLines } from '../tracking/map-range.ts';
import type { Tracking } from '../tracking/track-finding.ts';
import type { Observation } from './code-signals.ts';
import type { StoredFinding } from './follow-store.ts';

/**
 * Whether the rule or model that raised a finding still does in this version; null if it has not reviewed it, or that is
 * unknown. A finding whose lines were edited gets another identity when it is raised again, so one of the same kind at the
 * same place counts as the same.
 */
export function detectorState(
  finding: Pick<StoredFinding, 'findingId' | 'source'>,
  tracking: Tracking,
  look: LastLook,
  head: string,
): Observation['detector'] {
  const { kind, name } = finding.source;
  const seen = look.findings.find(({ findingId }) => findingId === finding.findingId);
  if (kind === 'reviewer' || look.head !== head || seen === undefined) return null;
  const isRaised = (place: LastLook['findings'][number]) => place.state === 'open' && place.head === head;
  const isAtItsPlace = ({ path, startLine, endLine }: LastLook['findings'][number]) =>
    path === tracking.path &&
    tracking.range !== null &&
    startLine !== null &&
    endLine !== null &&
    startLine <= tracking.range.end + nearLines &&
    endLine >= tracking.range.start - nearLines;
  const stillRaises =
    isRaised(seen) ||
    look.findings.some((other) => other.kind === seen.kind && isRaised(other) && isAtItsPlace(other));
  if (stillRaises) return { kind, name, stillRaises };
  // An outdated finding says nothing about its rule, because the file is out of scope. For a model it means that the lines
  // have changed.
  const hasLooked = kind === 'rule' ? seen.state === 'resolved' : seen.state !== 'dismissed';
  return hasLooked ? { kind, name, stillRaises: false } : null;
}
