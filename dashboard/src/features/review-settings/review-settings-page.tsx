import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { PageTitle, QueryState } from '../../components/query-state.tsx';
import { api } from '../../lib/api.ts';
import { useView } from '../../lib/session.ts';
import { McpServerList } from './mcp-server-list.tsx';
import { SettingsForm } from './settings-form.tsx';
import type { McpServers, ReviewSettings } from './wire.ts';

/** The review settings of an organization. */
export default function ReviewSettingsPage() {
  const view = useView();
  const settings = useQuery({
    queryKey: ['review-settings', view.id],
    queryFn: () => api<ReviewSettings>('GET', 'settings/reviews', { scope: view }),
  });
  const servers = useQuery({
    queryKey: ['mcp-servers', view.id],
    queryFn: () => api<McpServers>('GET', 'settings/mcp-servers', { scope: view }),
  });
  return (
    <>
      <PageTitle title="Review settings" about={`How pull requests in ${view.name} are reviewed`} />
      <Stack gap="xl">
        <QueryState query={settings}>
          {(data) => <SettingsForm key={JSON.stringify(data)} view={view} settings={data} />}
        </QueryState>
        <QueryState query={servers}>{({ data }) => <McpServerList view={view} servers={data} />}</QueryState>
      </Stack>
    </>
  );
}
