import type { Wanted } from '../configuration/checks-shape.ts';
import {
  type Approvals,
  type CheckFacts,
  counted,
  failed,
  inconclusive,
  listed,
  type Outcome,
  type PullRequestFacts,
  passed,
  skipped,
} from './check-facts.ts';

/** Checks that every file with owners has enough approvals of its owners. */
export function checkOwners(
  { approvals: wanted = 1 }: Wanted<'owners'>,
  { owned }: CheckFacts,
  { approvals }: PullRequestFacts,
): Outcome {
  if (owned === null) return skipped('There is no CODEOWNERS file.');
  const { groups, files, unowned, unread } = owned;
  if (files === 0 && unread !== null)
    return inconclusive(`The owners of the changed files are not known: ${unread}.`);
  if (files === 0) return skipped(`The changed files have no owners (${counted(unowned, 'file')}).`);
  if (approvals.unknown !== null)
    return inconclusive(`The host does not say who approved: ${approvals.unknown}.`);
  const open = groups.flatMap((group) => {
    const owners = new Set(group.owners.map((owner) => owner.toLowerCase()));
    const is = approvals.by.filter(({ names }) => names.some((name) => owners.has(name))).length;
    const needed = Math.max(wanted, group.approvals);
    return is < needed ? [{ group, is, needed }] : [];
  });
  if (open.length === 0 && unread !== null)
    return inconclusive(`It is not known whether all owners approved: ${unread}.`);
  if (open.length === 0) {
    const rest =
      unowned === 0 ? '' : `; ${counted(unowned, 'file')} ${unowned === 1 ? 'has' : 'have'} no owner`;
    return passed(`Owners of ${counted(files, 'file')} approved${rest}.`);
  }
  const missing = open.map(({ group, is, needed }) => {
    const more = group.files - group.paths.length;
    const paths = `${group.paths.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    return `from ${group.owners.join(' or ')} for ${paths}${needed > 1 ? ` (${is} of ${needed})` : ''}`;
  });
  const text = `Approvals are missing: ${listed(missing)}.`;
  const teams = open.flatMap(({ group }) =>
    group.owners.filter((owner) => isUnknownTeam(owner.toLowerCase(), approvals)),
  );
  if (teams.length === 0) return failed(text);
  return inconclusive(`${text} The members of ${listed([...new Set(teams)])} are not known here.`);
}

/** Whether the owner is a team with unknown members: also GitLab's roles, such as `@@developer`, and the own group. */
function isUnknownTeam(owner: string, { teams, group }: Approvals): boolean {
  return owner === group || (/^@(?:@|[^/]+\/)/.test(owner) && !teams.includes(owner));
}
