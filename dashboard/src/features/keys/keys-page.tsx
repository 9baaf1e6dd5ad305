import { Badge, Text } from '@mantine/core';
import type { z } from 'zod';
import type { ownKeyList } from '../../../../src/capabilities/api-keys/schemas.ts';
import { useAction } from '../../components/action.ts';
import { ConfirmButton } from '../../components/confirm.tsx';
import { DataTable } from '../../components/lists/data-table.tsx';
import { usePages } from '../../components/lists/load-more.tsx';
import type { Column } from '../../components/lists/table-frame.tsx';
import type { MorePages } from '../../components/lists/virtual-list.tsx';
import { Empty, PageTitle, QueryState } from '../../components/query-state.tsx';
import { api } from '../../lib/api.ts';
import { formatInstant, formatRelativeTime, humanize } from '../../lib/format.ts';
import { useView, type View } from '../../lib/session.ts';
import { CreateKey } from './create-key.tsx';

type Keys = z.output<typeof ownKeyList>;
type Key = Keys['keys'][number];

function statusOf(key: Key): { label: string; color: string; isActive: boolean } {
  if (key.revoked_at !== null) return { label: 'Revoked', color: 'gray', isActive: false };
  if (key.expires_at !== null && new Date(key.expires_at) <= new Date())
    return { label: 'Expired', color: 'gray', isActive: false };
  return { label: 'Active', color: 'teal', isActive: true };
}

/** The API keys of an organization, or the tokens of a workspace. */
export default function KeysPage() {
  const view = useView();
  const isWorkspace = view.kind === 'workspace';
  const noun = isWorkspace ? 'token' : 'key';
  const query = usePages<Keys>(['keys', view.id], 'keys', view, {});
  return (
    <>
      <PageTitle
        title={isWorkspace ? 'API tokens' : 'API keys'}
        about={
          isWorkspace
            ? 'A workspace token works in every organization of the workspace.'
            : 'A key acts with its owner’s current permissions.'
        }
      >
        {view.may('api_access:write') && <CreateKey view={view} />}
      </PageTitle>
      <QueryState query={query}>
        {({ pages }) => {
          const keys = pages.flatMap((page) => page.keys);
          return keys.length === 0 ? (
            <Empty title={`No ${noun}s yet`}>Create one to call the API; its value is shown only once.</Empty>
          ) : (
            <KeyTable keys={keys} view={view} noun={noun} more={query} />
          );
        }}
      </QueryState>
    </>
  );
}

/** The owner of a token is an email address; that of a key an account, which may have left. */
function OwnerCell({ owner: { owner, owner_name } }: { owner: Pick<Key, 'owner' | 'owner_name'> }) {
  if (owner_name === null) return owner ?? '–';
  return (
    <div>
      <Text>{owner_name}</Text>
      <Text size="xs" c="dimmed">
        ID {owner}
      </Text>
    </div>
  );
}

function KeyTable({
  keys,
  view,
  noun,
  more,
}: {
  keys: readonly Key[];
  view: View;
  noun: string;
  more: MorePages;
}) {
  const revoke = useAction((id: string) => api('DELETE', `keys/${id}`, { scope: view }), {
    invalidates: [['keys', view.id]],
    done: noun === 'key' ? 'Key revoked' : 'Token revoked',
  });
  const columns: Column<Key>[] = [
    {
      label: 'Name',
      cell: (key) => (
        <div>
          <Text fw={600}>{key.name}</Text>
          <Text size="xs" c="dimmed">
            Created {formatInstant(key.created_at)}
          </Text>
        </div>
      ),
    },
    ...(view.kind === 'organization' ? [{ label: 'Type', cell: (key: Key) => humanize(key.kind) }] : []),
    { label: 'Owner', cell: (key) => <OwnerCell owner={key} /> },
    {
      label: 'Status',
      cell: (key) => <Badge color={statusOf(key).color}>{statusOf(key).label}</Badge>,
    },
    { label: 'Expires', cell: (key) => (key.expires_at === null ? 'Never' : formatInstant(key.expires_at)) },
    {
      label: 'Last used',
      cell: (key) => (key.last_used_at === null ? 'Never' : formatRelativeTime(key.last_used_at)),
    },
    {
      label: 'Actions',
      isLabelHidden: true,
      cell: (key) =>
        statusOf(key).isActive &&
        view.may('api_access:delete') && (
          <ConfirmButton
            size="xs"
            variant="default"
            aria-label={`Revoke ${key.name}`}
            question={`Revoke “${key.name}”?`}
            consequence={`Requests that use this ${noun} will be rejected immediately. This cannot be undone.`}
            confirm="Revoke"
            onConfirm={() => revoke.mutate(key.id)}
          >
            Revoke
          </ConfirmButton>
        ),
    },
  ];
  return (
    <DataTable
      label={noun === 'key' ? 'API keys' : 'API tokens'}
      columns={columns}
      rows={keys}
      rowKey={({ id }) => id}
      more={more}
    />
  );
}
