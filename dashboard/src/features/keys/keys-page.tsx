import { Badge, Group, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import type { keyList } from '../../../../src/capabilities/api-keys/schemas.ts';
import { useAction } from '../../components/action.ts';
import { ConfirmButton } from '../../components/confirm.tsx';
import { Empty, PageTitle, QueryState } from '../../components/query-state.tsx';
import { TableRegion } from '../../components/table-region.tsx';
import { api } from '../../lib/api.ts';
import { formatInstant, formatRelativeTime, humanize } from '../../lib/format.ts';
import { useView, type View } from '../../lib/session.ts';
import { CreateKey } from './create-key.tsx';

type Keys = z.output<typeof keyList>;
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
  const query = useQuery({
    queryKey: ['keys', view.id],
    queryFn: () => api<Keys>('GET', 'keys', { scope: view }),
  });
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
        {({ keys }) =>
          keys.length === 0 ? (
            <Empty title={`No ${noun}s yet`}>Create one to call the API; its value is shown only once.</Empty>
          ) : (
            <KeyTable keys={keys.toReversed()} view={view} noun={noun} />
          )
        }
      </QueryState>
    </>
  );
}

function KeyTable({ keys, view, noun }: { keys: readonly Key[]; view: View; noun: string }) {
  const revoke = useAction((id: string) => api('DELETE', `keys/${id}`, { scope: view }), {
    invalidates: [['keys', view.id]],
    done: noun === 'key' ? 'Key revoked' : 'Token revoked',
  });
  return (
    <TableRegion
      label={noun === 'key' ? 'API keys' : 'API tokens'}
      minWidth={700}
      columns={[
        'Name',
        ...(view.kind === 'organization' ? ['Type'] : []),
        'Owner',
        'Status',
        'Expires',
        'Last used',
        '.Actions',
      ]}
    >
      {keys.map((key) => {
        const status = statusOf(key);
        return (
          <Table.Tr key={key.id}>
            <Table.Td>
              <Text fw={600}>{key.name}</Text>
              <Text size="xs" c="dimmed">
                Created {formatInstant(key.created_at)}
              </Text>
            </Table.Td>
            {view.kind === 'organization' && <Table.Td>{humanize(key.kind)}</Table.Td>}
            <Table.Td>{key.owner ?? '–'}</Table.Td>
            <Table.Td>
              <Badge color={status.color} variant="outline">
                {status.label}
              </Badge>
            </Table.Td>
            <Table.Td>{key.expires_at === null ? 'Never' : formatInstant(key.expires_at)}</Table.Td>
            <Table.Td>{key.last_used_at === null ? 'Never' : formatRelativeTime(key.last_used_at)}</Table.Td>
            <Table.Td>
              <Group justify="flex-end">
                {status.isActive && view.may('api_access:delete') && (
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
                )}
              </Group>
            </Table.Td>
          </Table.Tr>
        );
      })}
    </TableRegion>
  );
}
