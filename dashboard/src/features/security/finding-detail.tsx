import {
  Anchor,
  Badge,
  Button,
  Code,
  Drawer,
  Group,
  Stack,
  Text,
  Textarea,
  Timeline,
  Title,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { z } from 'zod';
import type { findingDetail } from '../../../../src/capabilities/security-findings/schemas.ts';
import { useAction } from '../../components/action.ts';
import { QueryState } from '../../components/query-state.tsx';
import { api, type Scope } from '../../lib/api.ts';
import { formatInstant, humanize } from '../../lib/format.ts';
import type { View } from '../../lib/session.ts';
import { SeverityBadge } from './severity.tsx';

type Detail = z.output<typeof findingDetail>;
type HistoryEntry = Detail['history'][number];

/** The finding that the URL names (`finding`), beside the list. */
export function FindingDrawer({
  view,
  id,
  onClose,
}: {
  view: View;
  id: string | undefined;
  onClose: () => void;
}) {
  return (
    <Drawer opened={id !== undefined} onClose={onClose} position="right" size="lg" title="Finding">
      {id !== undefined && <FindingContent key={id} view={view} id={id} />}
    </Drawer>
  );
}

function FindingContent({ view, id }: { view: View; id: string }) {
  const query = useQuery({
    queryKey: ['finding', view.id, id],
    queryFn: () => api<Detail>('GET', `security/findings/${id}`, { scope: view }),
  });
  return <QueryState query={query}>{(detail) => <FindingText view={view} detail={detail} />}</QueryState>;
}

/** The organization of a finding, for changing it from a workspace. */
function scopeOf(view: View, { finding }: Detail): View | Scope {
  const organization = view.organizations.find(
    ({ org_id, name }) => org_id === finding.organization_id && name === finding.organization_name,
  );
  return organization === undefined ? view : { kind: 'organization', id: organization.id };
}

function FindingText({ view, detail }: { view: View; detail: Detail }) {
  const { finding, code_url, dismissal, tool } = detail;
  const lines =
    finding.start_line === finding.end_line
      ? finding.start_line
      : `${finding.start_line}–${finding.end_line}`;
  const scope = scopeOf(view, detail);
  const organization = view.organizations.find(({ id }) => id === scope.id);
  const mayDismiss = finding.state === 'open' && view.may('security:write') && organization !== undefined;
  return (
    <Stack>
      <div>
        <Group gap="xs" mb="xxs">
          <SeverityBadge severity={finding.severity} />
          <Badge color="gray">{humanize(finding.state)}</Badge>
        </Group>
        <Title order={2}>{finding.title}</Title>
      </div>
      {finding.description !== null && (
        <Text size="sm" style={{ whiteSpace: 'pre-wrap', wordBreak: 'break-word' }}>
          {finding.description}
        </Text>
      )}
      <div>
        <Code style={{ wordBreak: 'break-all' }}>
          {finding.file_path}:{lines}
        </Code>{' '}
        {code_url !== null && (
          <Anchor href={code_url} target="_blank" rel="noreferrer" size="sm">
            Open the code
          </Anchor>
        )}
        <Text size="xs" c="dimmed" mt="xxs">
          {finding.repository_name} at {finding.scan_provenance.revision} · {finding.rule_id}
          {finding.cwe !== null && ` · ${finding.cwe}`}
          {tool !== null && ` · ${tool}`}
        </Text>
      </div>
      {finding.reachability.explanation !== null && (
        <Text size="sm">Reachability: {finding.reachability.explanation}</Text>
      )}
      {dismissal !== null && (
        <Text size="sm">
          Dismissed{dismissal.by !== null && ` by ${dismissal.by}`}: {dismissal.reason}
        </Text>
      )}
      {mayDismiss && <DismissForm view={view} scope={scope} id={finding.id} />}
      <div>
        <Title order={3} mb="sm">
          History
        </Title>
        <History entries={detail.history} />
      </div>
    </Stack>
  );
}

function DismissForm({ view, scope, id }: { view: View; scope: Scope; id: string }) {
  const [reason, setReason] = useState('');
  const dismiss = useAction(
    () => api('POST', `security/findings/${id}/dismissal`, { scope, body: { reason: reason.trim() } }),
    {
      invalidates: [
        ['finding', view.id],
        ['security', view.id],
        ['security-summary', view.id],
      ],
      done: 'Finding dismissed',
    },
  );
  function submit(event: FormEvent) {
    event.preventDefault();
    dismiss.mutate(undefined);
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="xs" align="flex-start">
        <Textarea
          w="100%"
          label="Reason for dismissal"
          description="Visible to everyone who can see the finding, and in the audit log. The finding stays dismissed even if scans report it again."
          required
          autosize
          minRows={2}
          maxLength={2000}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={reason.trim() === ''} loading={dismiss.isPending}>
          Dismiss finding
        </Button>
      </Stack>
    </form>
  );
}

const eventLabels: Record<HistoryEntry['event'], string> = {
  detected: 'First detected',
  seen: 'Last seen by a scan',
  fixed: 'Fixed: a later scan no longer finds it',
  dismissed: 'Dismissed',
};

function History({ entries }: { entries: readonly HistoryEntry[] }) {
  return (
    <Timeline bulletSize={14} lineWidth={2} active={entries.length}>
      {entries.map((entry) => (
        <Timeline.Item
          key={`${entry.event} ${entry.at}`}
          title={entry.by === null ? eventLabels[entry.event] : `${eventLabels[entry.event]} by ${entry.by}`}
        >
          {entry.reason !== null && <Text size="sm">{entry.reason}</Text>}
          <Text size="xs" c="dimmed">
            {formatInstant(entry.at)}
          </Text>
        </Timeline.Item>
      ))}
    </Timeline>
  );
}
