import type { ForgeHook, ForgeOrganization, ForgeTeam, ForgeUser } from '../forge/forge-data.ts';
import type { DoubleAnswer, DoubleRequest } from '../host-double.ts';
import { canRead, notFound, pageOf } from './github-answers.ts';
import type { GitHubDouble } from './github-double.ts';
import { repositoryObject, userObject } from './github-payloads.ts';

export function answerOfOrganization(
  double: GitHubDouble,
  path: string,
  request: DoubleRequest,
  user: ForgeUser,
  organization: ForgeOrganization,
  what: string,
  hook: string | undefined,
): DoubleAnswer | undefined {
  if (what === 'hooks') return answerHooks(double, path, request, user, organization, hook);
  if (what === 'repos') {
    const seen = double.state.repositories.filter(
      (one) => one.organization === organization && canRead(one, user),
    );
    return pageOf(
      double,
      path,
      request,
      seen.map((one) => ({ ...repositoryObject(double.url, one), permissions: { pull: true, push: true } })),
    );
  }
  if (what === 'teams') {
    const teams = organization.teams.map(({ id, name }) => ({ id, name, slug: slugOf(name) }));
    return pageOf(double, path, request, teams);
  }
  if (what !== 'members') return undefined;
  const isAdmin = request.query.get('role') === 'admin';
  const people = [...organization.members]
    .filter((id) => organization.owners.has(id) === isAdmin)
    .map((id) => userObject(double.url, double.state.userById(id)));
  return pageOf(double, path, request, people);
}

const slugOf = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

/** Lists the members of a team and its subteams. */
export function answerTeamMembers(
  double: GitHubDouble,
  path: string,
  request: DoubleRequest,
  { teams }: ForgeOrganization,
  slug: string,
): DoubleAnswer {
  const isWithin = (team: ForgeTeam | null): boolean =>
    team !== null && (slugOf(team.name) === slug || isWithin(team.parent));
  const ids = new Set(teams.filter(isWithin).flatMap(({ members }) => [...members]));
  const people = [...ids].map((id) => userObject(double.url, double.state.userById(id)));
  return pageOf(double, path, request, people);
}

function answerHooks(
  double: GitHubDouble,
  path: string,
  request: DoubleRequest,
  user: ForgeUser,
  { hooks, owners }: ForgeOrganization,
  id: string | undefined,
): DoubleAnswer {
  // For others, GitHub answers as if there were no hooks.
  if (!owners.has(user.id)) return notFound;
  const { method, body } = request;
  const view = ({ secret: _secret, url, ...rest }: ForgeHook) => ({
    ...rest,
    config: { url, content_type: 'json' },
  });
  if (method === 'POST') {
    if (body.name !== 'web' || !body.config?.url)
      return { status: 422, json: { message: 'Validation Failed' } };
    const { url, secret } = body.config;
    const hook = { id: double.state.nextId(), url, secret, events: body.events, active: body.active ?? true };
    hooks.push(hook);
    return { status: 201, json: view(hook) };
  }
  if (id === undefined) return pageOf(double, path, request, hooks.map(view));
  const hook = hooks.find((one) => String(one.id) === id);
  if (hook === undefined) return notFound;
  if (method === 'DELETE') {
    hooks.splice(hooks.indexOf(hook), 1);
    return { status: 204 };
  }
  Object.assign(hook, { ...body.config, events: body.events, active: body.active });
  return { status: 200, json: view(hook) };
}
