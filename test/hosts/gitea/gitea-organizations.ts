import type { ForgeHook, ForgeOrganization, ForgeUser } from '../forge/forge-data.ts';
import { type DoubleAnswer, type DoubleRequest, match } from '../host-double.ts';
import { canRead, notFound, pageOf } from './gitea-answers.ts';
import type { GiteaDouble } from './gitea-double.ts';
import { repositoryView, userView } from './gitea-views.ts';

export function answerOfOrganization(
  double: GiteaDouble,
  path: string,
  request: DoubleRequest,
  user: ForgeUser,
): DoubleAnswer | undefined {
  const { query } = request;
  const people = (ids: Iterable<number>) => [...ids].map((id) => userView(double.state.userById(id)));
  const team = match('/teams/:id/:what', path);
  if (team !== undefined) {
    const ofTeam = ({ id, teams }: ForgeOrganization) =>
      [id, ...teams.map((one) => one.id)].some((one) => String(one) === team.id);
    const organization = double.state.organizations.find(ofTeam);
    if (organization === undefined || !organization.members.has(user.id)) return notFound;
    const { members } = organization.teams.find(({ id }) => String(id) === team.id) ?? {
      members: organization.owners,
    };
    return team.what === 'members' ? pageOf(double, query, people(members)) : notFound;
  }
  const found = match('/orgs/:name/:what', path) ?? match('/orgs/:name/hooks/:hook', path);
  const organization = double.state.organizationNamed(found?.name);
  if (found === undefined || organization === undefined) return undefined;
  if (found.hook !== undefined || found.what === 'hooks')
    return answerHooks(double, organization, request, user, found.hook);
  const repositories = double.state.repositories.filter(
    (one) => one.organization === organization && canRead(one, user),
  );
  switch (found.what) {
    case 'repos':
      return pageOf(
        double,
        query,
        repositories.map((one) => repositoryView(one, user)),
      );
    case 'members':
      return pageOf(double, query, people(organization.members));
    case 'teams':
      // In this double, the owners' team has the same id as the organization.
      return pageOf(double, query, [
        { id: organization.id, name: 'Owners', permission: 'owner', includes_all_repositories: true },
        ...organization.teams.map(({ id, name }) => ({
          id,
          name,
          permission: 'write',
          includes_all_repositories: false,
          units: ['repo.issues'],
        })),
      ]);
    default:
      return undefined;
  }
}

function answerHooks(
  double: GiteaDouble,
  { hooks, owners }: ForgeOrganization,
  { method, query, body }: DoubleRequest,
  user: ForgeUser,
  id: string | undefined,
): DoubleAnswer {
  if (!owners.has(user.id)) return { status: 403, json: { message: 'Must be an organization owner' } };
  const view = ({ secret: _secret, url, ...hook }: ForgeHook) => ({
    ...hook,
    type: 'gitea',
    config: { url, content_type: 'json' },
  });
  if (method === 'POST') {
    if (body?.config?.url === undefined || body.config.content_type !== 'json' || body.type !== 'gitea')
      return { status: 422, json: { message: 'Missing config option' } };
    const { url, secret } = body.config;
    const hook = {
      id: double.state.nextId(),
      url,
      secret,
      events: body.events,
      active: body.active ?? false,
    };
    hooks.push(hook);
    return { status: 201, json: view(hook) };
  }
  if (id === undefined) return pageOf(double, query, hooks.map(view));
  const hook = hooks.find((one) => String(one.id) === id);
  if (hook === undefined) return notFound;
  if (method === 'DELETE') {
    hooks.splice(hooks.indexOf(hook), 1);
    return { status: 204 };
  }
  if (body?.config !== undefined) Object.assign(hook, { url: body.config.url, secret: body.config.secret });
  Object.assign(hook, { events: body.events ?? hook.events, active: body.active ?? hook.active });
  return { status: 200, json: view(hook) };
}
