import type { CallerContext } from '../../access/caller-context.ts';
import { onlyOrganization } from '../../access/org-scope.ts';
import { AppError } from '../../lib/app-error.ts';
import { CannotOpen } from '../../secrets/seal.ts';
import type { Vault } from '../../secrets/vault.ts';
import { chatPurpose } from './digest-record.ts';
import { type ReadDeps, readDigest } from './read-digest.ts';
import { type Outcome, pageUrl, sendByMail, sendToChat, type TransmitDeps } from './sending/transmit.ts';
import { findDigest } from './store.ts';

export type TestDeps = ReadDeps & TransmitDeps & { readonly vault: Vault };

const always = async () => true;

function describe(outcome: Outcome | undefined, where: string) {
  if (outcome === undefined || outcome.state === 'sent') return { ok: true, message: `Sent to ${where}` };
  return { ok: false, message: outcome.error };
}

/** Sends the present content of a digest by mail to the caller, or to its chat. Does not count as an issue. */
export async function testDigest(
  deps: TestDeps,
  context: CallerContext,
  digestId: string,
  channel: 'mail' | 'chat',
): Promise<{ ok: boolean; message: string }> {
  const { id: organizationId } = onlyOrganization(context.scope).organization;
  const digest = await findDigest(deps.database.sql, { organizationId, digestId });
  if (digest === undefined) throw new AppError('NOT_FOUND', 'There is no such digest');
  const content = await readDigest(deps, context, {
    teamId: digest.teamId ?? undefined,
    endDate: undefined,
  });
  const page = pageUrl(deps, organizationId, digest.teamId, content.end_date);
  if (channel === 'mail') {
    const email = context.principal.owner?.email;
    if (!email) throw new AppError('CONFLICT', 'Your account has no email address');
    return describe(await sendByMail(deps, digest, email, content, page, always), email);
  }
  if (digest.chat === null) throw new AppError('CONFLICT', 'The digest goes to no chat');
  const { kind, host, secretId } = digest.chat;
  try {
    const url = await deps.vault.read(deps.database.sql, secretId, chatPurpose);
    return describe(await sendToChat(deps, { kind, url }, content, page, always), host);
  } catch (error) {
    if (!(error instanceof CannotOpen)) throw error;
    return { ok: false, message: error.message };
  }
}
