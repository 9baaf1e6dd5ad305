import type { AuditChange } from '../../audit-log/record-changes.ts';
import type { Connection } from '../connection-record.ts';

/** The audit entry of a change to a connection: never a credential, only which ones changed. */
export function connectionChangeEntry(
  verb: 'created' | 'updated' | 'deleted',
  { id, provider, url, account }: Pick<Connection, 'id' | 'provider' | 'url' | 'account'>,
  metadata: Readonly<Record<string, unknown>> = {},
): AuditChange {
  return {
    action: `connection.${verb}`,
    resourceType: 'connection',
    resourceId: id,
    resourceSummary: `${account.username} on ${new URL(url).host}`,
    metadata: { provider, ...metadata },
  };
}
