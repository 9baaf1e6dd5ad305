import type { Db, Fragment } from '../../db/database.ts';
import type { CheckedState } from '../reviews/checks/listing/list-checked.ts';
import type { Whose } from './whose-inbox.ts';

export type InboxTab = 'waiting' | 'mine' | 'all';
export type RiskLevel = 'low' | 'medium' | 'high';

export interface InboxFilter {
  readonly tab: InboxTab;
  /** Ids at the Git provider. */
  readonly repositoryIds?: readonly string[] | undefined;
  /** Part of the title or of the author's name, or the number. */
  readonly search?: string | undefined;
  readonly checks?: CheckedState | undefined;
  readonly risk?: RiskLevel | undefined;
}

/** The organizations `me`, each with the names that the person has there. */
export function peopleRows(db: Db, whose: readonly Whose[]): Fragment {
  return db`jsonb_to_recordset(${JSON.stringify(whose)}::text::jsonb)
    AS me (id uuid, users text[], asked text[], teams text[], names text[])`;
}

/**
 * Whether the open pull request `p` is on the given tab of `me` and passes the filters. It waits for people who were asked
 * to review, in person or through a team, and for owners of changed code who have not reviewed it. It never waits for its
 * author, and a draft does not wait for owners. Archived or removed repositories are left out, because nothing can be done
 * there.
 */
export function isWanted(db: Db, { tab, ...filter }: InboxFilter): Fragment {
  return db`p.organization_id = me.id AND p.state = 'open' AND p.opened_at IS NOT NULL
    AND EXISTS (SELECT 1 FROM repositories a WHERE a.organization_id = p.organization_id AND a.id = p.repository_id AND a.active)
    ${tab === 'mine' ? db`AND p.author_id = ANY(me.users)` : db``}
    ${tab === 'waiting' ? waitsFor(db) : db``}
    ${filter.repositoryIds === undefined ? db`` : db`AND p.repository_id IN (SELECT id FROM repositories WHERE organization_id = me.id AND provider_repository_id = ANY(${[...filter.repositoryIds]}::text[]))`}
    ${filter.search === undefined ? db`` : matches(db, filter.search)}
    ${filter.checks === undefined ? db`` : hasChecks(db, filter.checks)}
    ${filter.risk === undefined ? db`` : hasRisk(db, filter.risk)}`;
}

const waitsFor = (db: Db) => db`
  AND (p.asked && (me.asked || me.teams) OR p.owners && me.names AND NOT p.is_draft AND NOT p.reviewed_by && me.users)
  AND (p.author_id IS NULL OR p.author_id <> ALL(me.users))`;

/** Whether the title, author or number of the pull request `p` matches. */
export function matches(db: Db, search: string): Fragment {
  const text = search.toLowerCase();
  const number = /^#?(\d{1,9})$/.exec(text)?.[1];
  return db`AND (strpos(lower(p.title), ${text}) > 0 OR strpos(lower(p.author_username), ${text}) > 0
    ${number === undefined ? db`` : db`OR p.number = ${Number(number)}`})`;
}

const hasChecks = (db: Db, state: CheckedState) => db`
  AND EXISTS (SELECT 1 FROM pull_request_checks c
    WHERE c.organization_id = p.organization_id AND c.repository_id = p.repository_id AND c.number = p.number
      AND c.head_revision = p.head_revision AND c.state = ${state})`;

/** The last report on the pull request `p`, with its risk and size. */
export const lastReport = (db: Db) => db`
  SELECT r.report FROM review_runs r
  WHERE r.organization_id = p.organization_id AND r.repository_id = p.repository_id AND r.pull_request = p.number
    AND r.report IS NOT NULL
  ORDER BY r.created_at DESC LIMIT 1`;

const hasRisk = (db: Db, level: RiskLevel) =>
  db`AND (SELECT last.report->'risk'->>'level' FROM (${lastReport(db)}) AS last) = ${level}`;
