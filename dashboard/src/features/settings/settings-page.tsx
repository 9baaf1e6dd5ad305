import { Badge, Button, Group, NumberInput, Paper, Stack, Switch, Table, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { z } from 'zod';
import type {
  organizationSettings,
  SettingsChange,
} from '../../../../src/capabilities/organization-settings/schemas.ts';
import { useAction } from '../../components/action.ts';
import { LoadMore, usePages } from '../../components/load-more.tsx';
import { Empty, PageTitle, QueryState } from '../../components/query-state.tsx';
import { api } from '../../lib/api.ts';
import { formatNumber, providerName } from '../../lib/format.ts';
import { useView, type View } from '../../lib/session.ts';

type Settings = z.output<typeof organizationSettings>;

/** The organizations of a workspace, or the settings and repositories of an organization. */
export default function SettingsPage() {
  const view = useView();
  return view.kind === 'workspace' ? <Organizations view={view} /> : <OrganizationSettings view={view} />;
}

function Organizations({ view }: { view: View }) {
  return (
    <>
      <PageTitle title="Organizations" about={`Every active organization in ${view.name}`} />
      {view.organizations.length === 0 ? (
        <Empty title="No organizations yet">
          An administrator adds organizations by connecting a Git host, or with <code>postil apply</code>.
        </Empty>
      ) : (
        <Table.ScrollContainer
          type="native"
          minWidth={500}
          tabIndex={0}
          role="region"
          aria-label="Organizations"
        >
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Name</Table.Th>
                <Table.Th>Provider</Table.Th>
                <Table.Th>Organization ID</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {view.organizations.map((organization) => (
                <Table.Tr key={organization.id}>
                  <Table.Td>
                    <Link to={`/organizations/${organization.id}/settings` as never}>
                      {organization.name}
                    </Link>
                  </Table.Td>
                  <Table.Td>{providerName(organization.provider)}</Table.Td>
                  <Table.Td>{organization.org_id}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </>
  );
}

function OrganizationSettings({ view }: { view: View }) {
  const query = usePages<Settings>(['settings', view.id], 'settings', view, {});
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
              <LoadMore query={query} />
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
    <Stack gap="lg">
      <Paper withBorder p="lg">
        <Group mb="md" gap="xs">
          <Badge variant="outline">{settings.plan}</Badge>
          <Badge variant="outline" color={settings.subscription === 'active' ? 'teal' : 'gray'}>
            Subscription {settings.subscription}
          </Badge>
          <Text size="sm">{formatNumber(settings.seats_purchased)} seats purchased</Text>
          {settings.instance !== null && <Text size="sm">Self-hosted on {settings.instance}</Text>}
        </Group>
        <Stack maw={480}>
          <NumberInput
            label="Approval delay for Learnings, in days"
            description="Learnings from chat wait this long for a decision and are then approved automatically; 0 approves them immediately."
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
              onClick={() =>
                save.mutate({ approval_delay_days: Number(delay), metrics_isolated: isIsolated })
              }
            >
              Save
            </Button>
          )}
        </Stack>
      </Paper>
      <section>
        <Title order={2} size="h4" mb="sm">
          Repositories
        </Title>
        {settings.repositories.length === 0 ? (
          <Empty title="No repositories yet">Repositories appear once the Git host reports them.</Empty>
        ) : (
          <RepositoryTable settings={settings} canEdit={canEdit} onSave={save.mutate} />
        )}
      </section>
    </Stack>
  );
}

function RepositoryTable({
  settings,
  canEdit,
  onSave,
}: {
  settings: Settings;
  canEdit: boolean;
  onSave: (change: SettingsChange) => void;
}) {
  return (
    <Table.ScrollContainer type="native" minWidth={520} tabIndex={0} role="region" aria-label="Repositories">
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Repository ID</Table.Th>
            <Table.Th>Approval delay in days</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {settings.repositories.map((repository) => (
            <Table.Tr key={`${repository.repository_id} ${repository.approval_delay_days}`}>
              <Table.Td>
                {repository.name}
                {repository.private && (
                  <Text span size="xs" c="dimmed">
                    {' '}
                    private
                  </Text>
                )}
              </Table.Td>
              <Table.Td>{repository.repository_id}</Table.Td>
              <Table.Td>
                <NumberInput
                  aria-label={`Approval delay for ${repository.name}, in days`}
                  placeholder={`Same as the organization (${settings.approval_delay_days})`}
                  defaultValue={repository.approval_delay_days ?? ''}
                  min={0}
                  max={30}
                  allowDecimal={false}
                  disabled={!canEdit}
                  maw={220}
                  onBlur={(event) => {
                    const text = event.currentTarget.value;
                    const days = text === '' ? null : Number(text);
                    if (days !== repository.approval_delay_days)
                      onSave({
                        repositories: [
                          { repository_id: repository.repository_id, approval_delay_days: days },
                        ],
                      });
                  }}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
