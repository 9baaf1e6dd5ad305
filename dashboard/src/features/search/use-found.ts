import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQueries } from '@tanstack/react-query';
import type { z } from 'zod';
import type { findingSearchPage } from '../../../../src/capabilities/security-findings/schemas.ts';
import { api } from '../../lib/api.ts';
import type { View } from '../../lib/session.ts';
import type { UsagePage } from '../learnings/wire.ts';
import type { MemberPage, PersonPage } from '../people/wire.ts';

/** Something that a search leads to. */
export interface Found {
  readonly id: string;
  readonly label: string;
  readonly about: string;
  readonly to: string;
  readonly search: Readonly<Record<string, string>>;
}

/** A list that is searched on the server, by those who may see its page. */
interface Source {
  readonly group: string;
  readonly path: string;
  isAvailable(view: View): boolean;
  /** Answers with at most `limit` of them. */
  find(view: View, search: string): Promise<readonly Found[]>;
}

const limit = 5;
const pauseMs = 200;
/** A single letter is in everything. */
const minLength = 2;
/** The server searches for no longer texts. */
const maxLength = 200;

function source<Answer>(
  group: string,
  path: string,
  isAvailable: (view: View) => boolean,
  foundIn: (answer: Answer, at: string) => readonly Found[],
): Source {
  return {
    group,
    path,
    isAvailable,
    find: async (view, search) =>
      foundIn(
        await api<Answer>('GET', path, { scope: view, query: { search, limit } }),
        `/${view.kind}s/${view.id}`,
      ),
  };
}

const sources: readonly Source[] = [
  source(
    'People',
    'people',
    (view) => view.isEnterprise && view.isAdmin,
    ({ users }: MemberPage | PersonPage, at) =>
      users.map((user) => {
        const name = 'username' in user ? user.username : user.email;
        return {
          id: `person ${name}`,
          label: name,
          about: user.email ?? '',
          to: `${at}/people`,
          search: { search: name },
        };
      }),
  ),
  source(
    'Learnings',
    'learnings/usage',
    (view) => view.isEnterprise,
    ({ data }: UsagePage, at) =>
      data.map(({ id, learning, repository_name }) => ({
        id: `learning ${id}`,
        label: learning,
        about: repository_name,
        to: `${at}/learnings`,
        search: { search: learning.slice(0, maxLength).trim() },
      })),
  ),
  source(
    'Security findings',
    'security/findings',
    (view) => view.may('security:read'),
    ({ data }: z.output<typeof findingSearchPage>, at) =>
      data.map(({ id, title, repository_name }) => ({
        id: `security ${id}`,
        label: title,
        about: repository_name,
        to: `${at}/security`,
        search: { state: 'all', finding: id },
      })),
  ),
];

/** What is called so, as far as the person may see it; nothing before two letters are typed. */
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
    groups: asked.map(({ group }, index) => ({ group, found: answers[index]?.data ?? [] })),
    isSearching: isLongEnough && (paused !== typed || answers.some(({ isPending }) => isPending)),
  };
}
