import { Anchor, List, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageLink } from '../../components/page-link.tsx';
import { Tile } from '../../components/tile.tsx';
import { formatNumber, humanize } from '../../lib/format.ts';
import { useFilters } from '../../lib/search.ts';
import type { View } from '../../lib/session.ts';
import type { Week as WeekOfDigest } from './wire.ts';

const dollars = new Intl.NumberFormat(undefined, { style: 'currency', currency: 'USD' });

function Section({ title, empty, children }: { title: string; empty: string; children: ReactNode[] }) {
  return (
    <Paper withBorder p={{ base: 'sm', sm: 'lg' }} component="section" aria-label={title}>
      <Title order={2} mb="xs">
        {title}
      </Title>
      {children.length === 0 ? <Text c="dimmed">{empty}</Text> : <List spacing="xs">{children}</List>}
    </Paper>
  );
}

function Numbers({ week, view }: { week: WeekOfDigest; view: View }) {
  const { merged, findings, stuck, spending } = week;
  const place = `/organizations/${view.id}`;
  const [{ team }] = useFilters();
  const search = { from: week.start_date, to: week.end_date, team };
  const unknown = findings.posted - findings.accepted - findings.not_accepted;
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }}>
      <Tile
        label="Merged"
        value={
          <PageLink to={`${place}/pull-requests`} search={search}>
            {formatNumber(merged.pull_requests)}
          </PageLink>
        }
        about={`${formatNumber(merged.previous)} in the week before`}
      />
      <Tile
        label="Findings"
        value={
          <PageLink to={`${place}/comments`} search={search}>
            {formatNumber(findings.posted)}
          </PageLink>
        }
        about={`${formatNumber(findings.accepted)} fixed, ${formatNumber(findings.not_accepted)} not fixed${unknown > 0 ? `, ${formatNumber(unknown)} unknown` : ''}`}
      />
      <Tile label="Stuck" value={formatNumber(stuck.count)} about="open without activity for a week" />
      <Tile
        label="Spending"
        value={dollars.format(spending.usd)}
        about={`${formatNumber(spending.reviews)} reviews${spending.budget_usd_per_month === null ? '' : `, budget ${dollars.format(spending.budget_usd_per_month)} a month`}`}
      />
    </SimpleGrid>
  );
}

/** The content of a digest. */
export function Week({ week, view }: { week: WeekOfDigest; view: View }) {
  const { merged, findings, stuck, quiet_rules } = week;
  const more = stuck.count - stuck.pull_requests.length;
  return (
    <Stack>
      <Numbers week={week} view={view} />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Section title="Merged by repository" empty="No pull requests were merged.">
          {merged.repositories.map(({ name, pull_requests }) => (
            <List.Item key={name}>
              {name}: {formatNumber(pull_requests)}
            </List.Item>
          ))}
        </Section>
        <Section title="Found and fixed by severity" empty="No findings in merged pull requests.">
          {findings.by_severity
            .filter(({ posted }) => posted > 0)
            .map(({ severity, posted, accepted }) => (
              <List.Item key={severity ?? 'none'}>
                {severity === null ? 'No severity' : humanize(severity)}: {formatNumber(posted)} found,{' '}
                {formatNumber(accepted)} fixed
              </List.Item>
            ))}
        </Section>
      </SimpleGrid>
      <Section title="Stuck" empty="No open pull request has been without activity for a week.">
        {[
          ...stuck.pull_requests.map(({ repository, number, title, url, days }) => (
            <List.Item key={url} style={{ overflowWrap: 'anywhere' }}>
              <Anchor inherit underline="always" href={url} rel="noreferrer">
                {repository} #{number}
              </Anchor>
              {title !== null && ` ${title}`} · {formatNumber(days)} days
            </List.Item>
          )),
          ...(more > 0 ? [<List.Item key="more">and {formatNumber(more)} more</List.Item>] : []),
        ]}
      </Section>
      {quiet_rules !== null && (
        <Section title="Rules that went quiet" empty="No rule went quiet.">
          {quiet_rules.map(({ rule, accepted, rejected }) => (
            <List.Item key={rule} style={{ overflowWrap: 'anywhere' }}>
              <PageLink to={`/organizations/${view.id}/rules`} search={{ search: rule }} isInText>
                {rule}
              </PageLink>
              : {formatNumber(accepted)} of {formatNumber(accepted + rejected)} accepted
            </List.Item>
          ))}
        </Section>
      )}
    </Stack>
  );
}
