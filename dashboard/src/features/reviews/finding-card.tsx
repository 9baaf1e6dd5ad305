import { Anchor, Badge, Button, Group, List, Paper, Text } from '@mantine/core';
import { InlineCode } from '../../components/inline-code.tsx';
import { humanize } from '../../lib/format.ts';
import { useView } from '../../lib/session.ts';
import { severityColors } from '../../lib/severities.ts';
import { OutcomeBadge } from '../insights/comments/outcome-badge.tsx';
import { SignalList } from '../outcomes/signal-list.tsx';
import { WordButtons } from '../outcomes/word-buttons.tsx';
import { Suggestion } from './suggestion.tsx';
import { useRelease } from './use-release.ts';
import { type Finding, type Run, waitingIn } from './wire.ts';

/** Where a finding is: `src/a.ts:10–12`, or the file as a whole. */
function placeOf({ path, start_line: start, end_line: end }: Finding): string {
  if (start === null) return `${path} (whole file)`;
  return start === end || end === null ? `${path}:${start}` : `${path}:${start}–${end}`;
}

interface CardProps {
  readonly finding: Finding;
  readonly run: Run;
  /** Whether it was not posted because its rules are seldom accepted here. */
  readonly isQuiet: boolean;
  /** Goes to another place in the code; undefined if code cannot be shown. */
  readonly onJump?: ((path: string, line: number) => void) | undefined;
  /** The lines that the suggestion would replace; undefined if they are not known. */
  readonly replaced?: readonly string[] | undefined;
}

/** Other places that belong to a finding, in the order in which they explain it. */
function RelatedPlaces({ related, onJump }: Pick<Finding, 'related'> & Pick<CardProps, 'onJump'>) {
  if (related.length === 0) return null;
  return (
    <List size="sm" mb="xxs" aria-label="Related places">
      {related.map(({ path, start_line, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a place may come twice, and their order never changes
        <List.Item key={index} style={{ wordBreak: 'break-word' }}>
          {onJump === undefined ? (
            <Text span ff="monospace" inherit>
              {path}:{start_line}
            </Text>
          ) : (
            <Anchor
              component="button"
              type="button"
              ff="monospace"
              inherit
              onClick={() => onJump(path, start_line)}
            >
              {path}:{start_line}
            </Anchor>
          )}
          {text !== '' && (
            <>
              {' '}
              <InlineCode text={text} />
            </>
          )}
        </List.Item>
      ))}
    </List>
  );
}

/** A finding with its place, source and outcome. */
export function FindingCard({ finding, run, isQuiet, onJump, replaced }: CardProps) {
  const view = useView();
  const release = useRelease(run, view);
  const path = `reviews/${run.id}/findings/${encodeURIComponent(finding.finding_id)}`;
  const { severity, category, title, body, suggestion, source, rules, cwe, url, state, accepted } = finding;
  return (
    <Paper withBorder p="md" component="li">
      <Group gap="xs" mb="xxs">
        <Badge color={severityColors[severity]}>{humanize(severity)}</Badge>
        {isQuiet && <Badge color="gray">Quiet</Badge>}
        {state !== 'open' && <Badge color="gray">{humanize(state)}</Badge>}
        {accepted !== null && <OutcomeBadge accepted={accepted} />}
        <Text fw={600}>
          <InlineCode text={title} />
        </Text>
      </Group>
      <Text size="sm" ff="monospace" mb="xxs" style={{ wordBreak: 'break-all' }}>
        {placeOf(finding)}
      </Text>
      <Text size="sm" mb="xxs" style={{ whiteSpace: 'pre-wrap', wordBreak: 'break-word' }}>
        <InlineCode text={body} />
      </Text>
      {suggestion !== null && <Suggestion suggestion={suggestion} replaced={replaced} />}
      <RelatedPlaces related={finding.related} onJump={onJump} />
      <Text size="xs" c="dimmed" style={{ wordBreak: 'break-word' }}>
        {humanize(category)} ·{' '}
        {rules.length > 1 ? `rules ${rules.join(', ')}` : `${source.kind} ${source.name}`}
        {cwe !== null && ` · ${cwe}`}
        {finding.confidence === 'likely' && ' · likely'}
        {finding.learning_ids.length > 0 &&
          ` · follows ${finding.learning_ids.length === 1 ? 'a Learning' : `${finding.learning_ids.length} Learnings`}`}
        {url !== null && (
          <>
            {' · '}
            <Anchor href={url} rel="noreferrer" inherit>
              comment
            </Anchor>
          </>
        )}
      </Text>
      <Group justify="space-between" mt="xs" align="flex-start">
        <SignalList path={path} subject={title} />
        <WordButtons
          path={path}
          subject={title}
          mayBeSaid={accepted !== null}
          invalidates={[['review', view.id, run.id]]}
        />
      </Group>
      {waitingIn(run).includes(finding) && (
        <Button
          mt="xs"
          size="xs"
          variant="default"
          loading={release.isPending}
          aria-label={`Release ${title}`}
          onClick={() => release.mutate([finding.finding_id])}
        >
          Release
        </Button>
      )}
    </Paper>
  );
}
