import { Badge, Button, Group, NumberInput, Paper, Stack, Switch, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { z } from 'zod';
import type {
  organizationSettings,
  SettingsChange,
} from '../../../../src/capabilities/organization-settings/schemas.ts';
import { useAction } from '../../components/action.ts';
import { FilterText } from '../../components/filters/filter-text.tsx';
import { DataTable } from '../../components/lists/data-table.tsx';
import { usePages } from '../../components/lists/load-more.tsx';
import type { Column } from '../../components/lists/table-frame.tsx';
import { TableRegion } from '../../components/lists/table-region.tsx';
import type { MorePages } from '../../components/lists/virtual-list.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { Empty, PageTitle, QueryState } from '../../components/query-state.tsx';
import { api } from '../../lib/api.ts';
import { formatNumber, humanize, providerName } from '../../lib/format.ts';
import { useFilters } from '../../lib/search.ts';
import { type Organization, useView, type View } from '../../lib/session.ts';

type Settings = z.output<typeof organizationSettings>;
type Repository = Settings['repositories'][number];

/** The organizations of a workspace, or the settings and repositories of an organization. */
export default function SettingsPage() {
  const view = useView();
  return view.kind === 'workspace' ? <Organizations view={view} /> : <OrganizationSettings view={view} />;
}

const organizationColumns: readonly Column<Organization>[] = [
  { label: 'Name', cell: ({ id, name }) => <PageLink to={`/organizations/${id}/settings`}>{name}</PageLink> },
  { label: 'Provider', cell: ({ provider }) => providerName(provider) },
  { label: 'Organization ID', cell: ({ org_id }) => org_id },
];

function Organizations({ view }: { view: View }) {
  return (
    <>
      <PageTitle title="Organizations" about={`Every active organization in ${view.name}`} />
      {view.organizations.length === 0 ? (
        <Empty title="No organizations yet">
          An admin of the installation adds organizations by connecting a Git host, or with{' '}
          <code>postil apply</code>.
        </Empty>
      ) : (
        <TableRegion
          label="Organizations"
          columns={organizationColumns}
          rows={view.organizations}
          rowKey={({ id }) => id}
        />
      )}
    </>
  );
}

function OrganizationSettings({ view }: { view: View }) {
  const [{ search }] = useFilters();
  const query = usePages<Settings>(['settings', view.id, search], 'settings', view, { search });
  return (
    <>
      <PageTitle title="Settings" about={`${view.name} and its repositories`} />
      <QueryState query={query}>
        {({ pages }) => {
          const settings = { ...pages[0]!, repositories: pages.flatMap(({ repositories }) => repositories) };
          const { repositories: _, next_cursor: __, ...organizationFields } = settings;
          return (
            <>
              <SettingsForm key={JSON.stringify(organizationFields)} view={view} settings={settings} />
              <Repositories view={view} settings={settings} more={query} />
            </>
          );
        }}
      </QueryState>
    </>
  );
}

const maxDelayDays = 30;

/** Why a delay cannot be saved; empty means the delay of the organization. */
function delayFault(days: number | string): string | undefined {
  const isAllowed = Number.isInteger(Number(days)) && Number(days) >= 0 && Number(days) <= maxDelayDays;
  return isAllowed ? undefined : `Enter a whole number of days from 0 to ${maxDelayDays}`;
}

function SettingsForm({ view, settings }: { view: View; settings: Settings }) {
  const canEdit = view.may('organization_management:write');
  const [delay, setDelay] = useState<number | string>(settings.approval_delay_days);
  const [isIsolated, setIsIsolated] = useState(settings.metrics_isolated);
  const save = useAction((body: SettingsChange) => api('PATCH', 'settings', { scope: view, body }), {
    invalidates: [['settings', view.id]],
    done: 'Settings saved',
  });
  return (
    <Paper withBorder p="lg" mb="lg">
      <Group mb="md" gap="xs">
        <Badge>{humanize(settings.plan)}</Badge>
        <Badge color={settings.subscription === 'active' ? 'teal' : 'gray'}>
          Subscription {settings.subscription}
        </Badge>
        <Text size="sm">{formatNumber(settings.seats_purchased)} seats purchased</Text>
        {settings.instance !== null && <Text size="sm">Self-hosted on {settings.instance}</Text>}
      </Group>
      <Stack maw={480}>
        <NumberInput
          label="Approval delay for Learnings, in days"
          description="Learnings from conversations on pull requests wait this long for a decision, and are then approved automatically. 0 approves them immediately."
          min={0}
          max={maxDelayDays}
          allowDecimal={false}
          value={delay}
          onChange={setDelay}
          error={delay === '' ? delayFault(Number.NaN) : delayFault(delay)}
          disabled={!canEdit}
        />
        <Switch
          label="Isolated metrics"
          description="Stores this organization’s metrics separately. Metrics are unavailable while they are being moved."
          checked={isIsolated}
          onChange={(event) => setIsIsolated(event.currentTarget.checked)}
          disabled={!canEdit}
        />
        {canEdit && (
          <Button
            style={{ alignSelf: 'flex-start' }}
            loading={save.isPending}
            disabled={delay === '' || delayFault(delay) !== undefined}
            onClick={() => save.mutate({ approval_delay_days: Number(delay), metrics_isolated: isIsolated })}
          >
            Save
          </Button>
        )}
      </Stack>
    </Paper>
  );
}

function Repositories({ view, settings, more }: { view: View; settings: Settings; more: MorePages }) {
  const canEdit = view.may('organization_management:write');
  const save = useAction((body: SettingsChange) => api('PATCH', 'settings', { scope: view, body }), {
    invalidates: [['settings', view.id]],
    done: 'Settings saved',
  });
  const columns: Column<Repository>[] = [
    {
      label: 'Name',
      cell: (repository) => (
        <Text>
          {repository.name}
          {repository.private && (
            <Text span size="xs" c="dimmed">
              {' '}
              private
            </Text>
          )}
        </Text>
      ),
    },
    { label: 'Repository ID', cell: ({ repository_id }) => repository_id },
    {
      label: 'Approval delay in days',
      cell: (repository) => (
        <RepositoryDelay
          key={`${repository.repository_id} ${repository.approval_delay_days}`}
          repository={repository}
          inherited={settings.approval_delay_days}
          canEdit={canEdit}
          onSave={(days) =>
            save.mutate({
              repositories: [{ repository_id: repository.repository_id, approval_delay_days: days }],
            })
          }
        />
      ),
    },
  ];
  return (
    <section>
      <Group justify="space-between" align="flex-end" mb="sm">
        <Title order={2}>Repositories</Title>
        <FilterText label="Search" placeholder="Part of a name" />
      </Group>
      {settings.repositories.length === 0 ? (
        <Empty title="No repositories">
          No repository matches, or the Git host has not reported any yet.
        </Empty>
      ) : (
        <DataTable
          label="Repositories"
          columns={columns}
          rows={settings.repositories}
          rowKey={({ repository_id }) => repository_id}
          more={more}
        />
      )}
    </section>
  );
}

function RepositoryDelay({
  repository,
  inherited,
  canEdit,
  onSave,
}: {
  repository: Repository;
  inherited: number;
  canEdit: boolean;
  onSave: (days: number | null) => void;
}) {
  const [days, setDays] = useState<number | string>(repository.approval_delay_days ?? '');
  const fault = delayFault(days);
  return (
    <NumberInput
      aria-label={`Approval delay for ${repository.name}, in days`}
      placeholder={`Organization: ${inherited}`}
      value={days}
      onChange={setDays}
      min={0}
      max={maxDelayDays}
      allowDecimal={false}
      disabled={!canEdit}
      maw={220}
      error={fault}
      onBlur={() => {
        const chosen = days === '' ? null : Number(days);
        if (fault === undefined && chosen !== repository.approval_delay_days) onSave(chosen);
      }}
    />
  );
}
