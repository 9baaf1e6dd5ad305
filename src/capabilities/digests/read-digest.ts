import type { CallerContext } from '../../access/caller-context.ts';
import { onlyOrganization } from '../../access/org-scope.ts';
import type { Database } from '../../db/database.ts';
import type { concurrencyLimit } from '../../lib/concurrency/concurrency-limit.ts';
import type { DigestContent } from './content/digest-content.ts';
import { gatherDigest } from './content/gather-digest.ts';
import { periodBefore, periodUntil } from './period.ts';
import { asChatMessage } from './rendering/as-chat-message.ts';
import { asMail } from './rendering/as-mail.ts';
import { describeDigest } from './rendering/sections.ts';
import { pageUrl } from './sending/transmit.ts';

export interface ReadDeps {
  readonly database: Database;
  /** Limits concurrent measurements, since each keeps a connection and a CPU busy. */
  readonly limitMeasuring: ReturnType<typeof concurrencyLimit>;
}

/** The content of a digest for the seven days up to a day, or for those before today. */
export async function readDigest(
  { database, limitMeasuring }: ReadDeps,
  { scope, now }: Pick<CallerContext, 'scope' | 'now'>,
  { teamId, endDate }: { readonly teamId: string | undefined; readonly endDate: string | undefined },
): Promise<DigestContent> {
  const { id } = onlyOrganization(scope).organization;
  const period = endDate === undefined ? periodBefore(now) : periodUntil(endDate);
  const subject = { organizationId: id, teamId: teamId ?? null };
  return limitMeasuring(() =>
    database.transaction((tx) => gatherDigest(tx, subject, period), {
      isolation: 'repeatable read',
      readOnly: true,
    }),
  );
}

/** A preview of the digest in every format. */
export async function previewDigest(
  deps: ReadDeps & { readonly publicUrl: () => string },
  context: Pick<CallerContext, 'scope' | 'now'>,
  teamId: string | undefined,
) {
  const content = await readDigest(deps, context, { teamId, endDate: undefined });
  const { id } = onlyOrganization(context.scope).organization;
  const page = pageUrl(deps, id, teamId ?? null, content.end_date);
  const text = describeDigest(content);
  return {
    ...asMail(text, { page, unsubscribe: `${deps.publicUrl()}/unsubscribe` }),
    slack: asChatMessage('slack', text, { page }),
    teams: asChatMessage('teams', text, { page }),
  };
}
