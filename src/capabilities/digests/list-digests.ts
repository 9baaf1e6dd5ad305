import type { CallerContext } from '../../access/caller-context.ts';
import { onlyOrganization } from '../../access/org-scope.ts';
import type { Database, Db } from '../../db/database.ts';
import { plainArrayLiteral } from '../../db/driver/array-literal.ts';
import type { OrganizationId } from '../../lib/ids.ts';
import { teamNames } from '../insights/groups/group-names.ts';
import type { Digest, SendingState } from './digest-record.ts';
import { findDigests } from './store.ts';

interface LastIssue {
  readonly digest_id: string;
  readonly end_date: string;
  readonly created_at: Date;
  readonly sendings: readonly {
    readonly recipient: string;
    readonly state: SendingState;
    readonly attempts: number;
    readonly error: string | null;
  }[];
}

async function findLast(db: Db, organizationId: OrganizationId): Promise<Map<string, LastIssue>> {
  const rows = await db<LastIssue[]>`
    SELECT i.digest_id, i.end_date::text, i.created_at, (
      SELECT coalesce(json_agg(json_build_object('recipient', s.recipient, 'state', s.state, 'attempts', s.attempts, 'error', s.error)
        ORDER BY s.recipient), '[]')
      FROM digest_sendings s
      WHERE s.organization_id = i.organization_id AND s.digest_id = i.digest_id AND s.end_date = i.end_date) AS sendings
    FROM (
      SELECT DISTINCT ON (digest_id) organization_id, digest_id, end_date, created_at FROM digest_issues
      WHERE organization_id = ${organizationId} ORDER BY digest_id, end_date DESC) AS i`;
  return new Map(rows.map((row) => [row.digest_id, row]));
}

async function nameTeams(db: Db, organizationId: OrganizationId, digests: readonly Digest[]) {
  const ids = digests.flatMap(({ teamId }) => teamId ?? []);
  if (ids.length === 0) return new Map<string, { readonly name: string }>();
  return teamNames(db, { organizationIds: plainArrayLiteral([organizationId]), storageIds: '0' }, ids);
}

function presentLast(last: LastIssue | undefined) {
  if (last === undefined) return null;
  const { digest_id: _, created_at, ...issue } = last;
  return { ...issue, created_at: created_at.toISOString() };
}

/** The digests of an organization, without the URLs of their chats, and with the delivery state of the newest issue of each. */
export async function listDigests(
  { database, hasMail }: { readonly database: Database; readonly hasMail: boolean },
  { scope }: Pick<CallerContext, 'scope'>,
) {
  const { id } = onlyOrganization(scope).organization;
  const digests = await findDigests(database.sql, id);
  const last = await findLast(database.sql, id);
  const teams = await nameTeams(database.sql, id, digests);
  return {
    has_mail: hasMail,
    digests: digests.map((digest) => ({
      id: digest.digestId,
      team: digest.teamId && { id: digest.teamId, name: teams.get(digest.teamId)?.name ?? null },
      weekday: digest.weekday,
      hour: digest.hour,
      recipients: digest.recipients,
      chat: digest.chat && { kind: digest.chat.kind, host: digest.chat.host },
      active: digest.isActive,
      next_due_at: digest.nextDueAt.toISOString(),
      last: presentLast(last.get(digest.digestId)),
    })),
  };
}
