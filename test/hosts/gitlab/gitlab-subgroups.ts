import type { ForgeTeam, ForgeUser } from '../forge/forge-data.ts';
import type { ForgeState } from '../forge/forge-state.ts';
import { match } from '../host-double.ts';
import { userView } from './gitlab-writing.ts';

const developerLevel = 30;

/** The subgroups of a group, or the direct members of a subgroup; undefined if something else is requested. */
export function listSubgroups(state: ForgeState, path: string, user: ForgeUser): unknown[] | undefined {
  const visible = state.organizations.filter(({ members }) => members.has(user.id));
  const { id } = match('/groups/:id/descendant_groups', path) ?? {};
  const organization = visible.find((one) => String(one.id) === id);
  if (organization !== undefined) {
    const pathOf = ({ name, parent }: ForgeTeam): string =>
      `${parent === null ? organization.name : pathOf(parent)}/${name}`;
    return organization.teams.map((team) => ({
      id: team.id,
      full_path: pathOf(team),
      parent_id: team.parent?.id ?? organization.id,
    }));
  }
  const { team } = match('/groups/:team/members', path) ?? {};
  const subgroup = visible.flatMap(({ teams }) => teams).find((one) => String(one.id) === team);
  return subgroup && [...subgroup.members].map((one) => memberView(state, one));
}

const memberView = (state: ForgeState, id: number) => ({
  ...userView(state.userById(id)),
  access_level: developerLevel,
});
