import { Badge, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { InlineCode } from '../../../components/inline-code.tsx';
import { formatNumber, humanize } from '../../../lib/format.ts';
import { severityColors } from '../../../lib/severities.ts';
import { CoverageTable } from '../../reviews/coverage-table.tsx';
import { FixNote } from '../../reviews/fix.tsx';
import { Preexisting } from '../../reviews/preexisting.tsx';
import { isUnfinished, type Run } from '../../reviews/wire.ts';
import { useOpenInDiff } from '../place.ts';
import { CheckList } from './check-list.tsx';
import { ImpactGraph } from './impact-graph.tsx';
import './impact.css';
import { ContractTable, DependencyTable } from './package-tables.tsx';
import { Together, Verdict } from './verdict.tsx';
import { Walkthrough } from './walkthrough.tsx';

function Part({ name, count, children }: { name: string; count?: number; children: ReactNode }) {
  const id = `part-${name.toLowerCase().replaceAll(' ', '-')}`;
  return (
    <section aria-labelledby={id}>
      <Title order={2} mb="sm" id={id}>
        {name}
        {count !== undefined && ` (${formatNumber(count)})`}
      </Title>
      {children}
    </section>
  );
}

/** The report of a review, in the order of its summary on the host; empty parts are left out. */
export function ReportTab({ run }: { run: Run }) {
  const { openPlace, openFile, openFinding } = useOpenInDiff();
  const { report, findings } = run;
  return (
    <Stack gap="lg">
      <Verdict run={run} />
      <FixNote fix={run.fix} />
      {report !== null && report.checks.length > 0 && (
        <Part name="Checks" count={report.checks.length}>
          <CheckList checks={report.checks} />
        </Part>
      )}
      {findings.length > 0 && (
        <Part name="Findings" count={findings.length}>
          <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
            {findings.map(({ finding_id, severity, title, path, start_line, state }) => (
              <Group key={finding_id} component="li" gap="xs">
                <Badge color={severityColors[severity]}>{humanize(severity)}</Badge>
                {state !== 'open' && <Badge color="gray">{humanize(state)}</Badge>}
                <Text size="sm">
                  <InlineCode text={title} />
                </Text>
                <button type="button" className="plain-link" onClick={() => openFinding(finding_id)}>
                  {path}
                  {start_line !== null && `:${start_line}`}
                </button>
              </Group>
            ))}
          </Stack>
        </Part>
      )}
      {report !== null && report.impact.length > 0 && (
        <Part name="Impact" count={report.total_impact}>
          <ImpactGraph key={run.id} report={report} onOpen={openPlace} />
        </Part>
      )}
      {report !== null && report.dependencies.length > 0 && (
        <Part name="Dependencies" count={report.total_dependencies}>
          <DependencyTable report={report} />
        </Part>
      )}
      {report !== null && report.contracts.length > 0 && (
        <Part name="Contracts" count={report.contracts.length}>
          <ContractTable contracts={report.contracts} />
        </Part>
      )}
      {report !== null && report.walkthrough.areas.length > 0 && (
        <Part name="Walkthrough">
          <Walkthrough walkthrough={report.walkthrough} onOpen={openFile} />
        </Part>
      )}
      {report !== null && report.together.length > 0 && (
        <Part name="Usually changed together">
          <Together report={report} />
        </Part>
      )}
      {report !== null && <Preexisting report={report} />}
      {!isUnfinished(run) && run.coverage.length > 0 && <CoverageTable coverage={run.coverage} />}
    </Stack>
  );
}
