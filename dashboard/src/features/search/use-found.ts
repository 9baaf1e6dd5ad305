import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQueries } from '@tanstack/react-query';
import type { z } from 'zod';
import type { searchAnswer } from '../../../../src/capabilities/inbox/schemas.ts';
import type { findingSearchPage } from '../../../../src/capabilities/security-findings/schemas.ts';
import { api } from '../../lib/api.ts';
import type { View } from '../../lib/session.ts';
import type { UsagePage } from '../learnings/wire.ts';
import type { MemberPage, PersonPage } from '../people/wire.ts';

/** A result of a search, and the page that it leads to. */
export interface Found {
  readonly id: string;
  readonly label: string;
  readonly about: string;
  readonly to: string;
  readonly search: Readonly<Record<string, string>>;
}

export interface FoundGroup {
  readonly group: string;
  readonly found: readonly Found[];
}

/** A search on the server, for people who may see its page. */
interface Source {
  readonly path: string;
  isAvailable(view: View): boolean;
  /** Returns at most `limit` results per group. */
  find(view: View, search: string): Promise<readonly FoundGroup[]>;
}

const limit = 5;
const pauseMs = 200;
/** A single letter would match nearly everything. */
const minLength = 2;
/** The server rejects longer search texts. */
const maxLength = 200;

function source<Answer>(
  path: string,
  isAvailable: (view: View) => boolean,
  groupsOf: (answer: Answer, at: string) => readonly FoundGroup[],
): Source {
  return {
    path,
    isAvailable,
    find: async (view, search) =>
      groupsOf(
        await api<Answer>('GET', path, { scope: view, query: { search, limit } }),
        `/${view.kind}s/${view.id}`,
      ),
  };
}

const everybody = () => true;

const sources: readonly Source[] = [
  source('search', everybody, ({ pull_requests, findings }: z.output<typeof searchAnswer>) => [
    {
      group: 'Pull requests',
      found: pull_requests.map(({ organization, repository_id, repository_name, number, title, state }) => ({
        id: `pull ${organization} ${repository_id} ${number}`,
        label: title === '' ? `#${number}` : title,
        about: `${repository_name} #${number}${state === 'open' ? '' : `, ${state}`}`,
        to: `/organizations/${organization}/pull-requests/${repository_id}/${number}`,
        search: {},
      })),
    },
    {
      group: 'Findings',
      found: findings.map(({ organization, repository_name, number, run_id, finding_id, title, path }) => ({
        id: `finding ${organization} ${number} ${finding_id}`,
        label: title,
        about: `${path}, ${repository_name} #${number}`,
        to: `/organizations/${organization}/reviews/${run_id}`,
        search: {},
      })),
    },
  ]),
  source(
    'people',
    (view) => view.isEnterprise && view.isAdmin,
    ({ users }: MemberPage | PersonPage, at) => [
      {
        group: 'People',
        found: users.map((user) => {
          const name = 'username' in user ? user.username : user.email;
          return {
            id: `person ${name}`,
            label: name,
            about: user.email ?? '',
            to: `${at}/people`,
            search: { search: name },
          };
        }),
      },
    ],
  ),
  source(
    'learnings/usage',
    (view) => view.isEnterprise,
    ({ data }: UsagePage, at) => [
      {
        group: 'Learnings',
        found: data.map(({ id, learning, repository_name }) => ({
          id: `learning ${id}`,
          label: learning,
          about: repository_name,
          to: `${at}/learnings`,
          search: { search: learning.slice(0, maxLength).trim() },
        })),
      },
    ],
  ),
  source(
    'security/findings',
    (view) => view.may('security:read'),
    ({ data }: z.output<typeof findingSearchPage>, at) => [
      {
        group: 'Security findings',
        found: data.map(({ id, title, repository_name }) => ({
          id: `security ${id}`,
          label: title,
          about: repository_name,
          to: `${at}/security`,
          search: { state: 'all', finding: id },
        })),
      },
    ],
  ),
];

/** Results whose names match, as far as the person may see them; none before two letters are typed. */
export function useFound(view: View | undefined, typed: string) {
  const [paused] = useDebouncedValue(typed.slice(0, maxLength), pauseMs);
  const isLongEnough = view !== undefined && typed.length >= minLength;
  const asked = isLongEnough ? sources.filter(({ isAvailable }) => isAvailable(view)) : [];
  const answers = useQueries({
    queries: asked.map(({ path, find }) => ({
      queryKey: ['palette', view!.id, path, paused],
      queryFn: () => find(view!, paused),
      enabled: paused.length >= minLength,
      placeholderData: keepPreviousData,
    })),
  });
  return {
    groups: answers.flatMap(({ data }) => data ?? []),
    isSearching: isLongEnough && (paused !== typed || answers.some(({ isPending }) => isPending)),
  };
}
