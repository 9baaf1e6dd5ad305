import { Anchor, Code, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { z } from 'zod';
import type { commentSignalPage } from '../../../../src/capabilities/insights/schemas.ts';
import { LoadMore, usePages } from '../../components/lists/load-more.tsx';
import { QueryState } from '../../components/query-state.tsx';
import { formatInstant, humanize } from '../../lib/format.ts';
import { useView } from '../../lib/session.ts';

type SignalPage = z.output<typeof commentSignalPage>;
type Signal = SignalPage['data'][number];

const meanings: Readonly<Partial<Record<Signal['signal'], string>>> = {
  suggestion_applied: 'The host applied the suggestion',
  suggestion_landed: 'The suggested change is in the code',
  lines_changed: 'The lines changed',
  named_change: 'A name mentioned in the comment changed nearby',
  finding_gone: 'Reviewed again and no longer found',
  thread_resolved: 'The conversation was resolved',
  thread_reopened: 'The conversation was reopened',
  reply_fixed: 'A reply says that it is fixed',
  reply_wont_fix: 'A reply says that it will not be fixed',
  merged_untouched: 'Merged without changes nearby',
};

function meaningOf({ signal, evidence }: Signal): string {
  if ((signal === 'confirmed' || signal === 'dismissed') && 'accepted' in evidence) {
    if (evidence.accepted === null) return 'A person withdrew their verdict';
    return evidence.accepted === true
      ? 'Marked as accepted by a person'
      : 'Marked as not accepted by a person';
  }
  return meanings[signal] ?? humanize(signal);
}

/** Why a comment counts as accepted or not: everything that was observed about it, with the evidence to check. */
export function SignalList({ path, subject }: { path: string; subject: string }) {
  const [isOpen, { toggle }] = useDisclosure(false);
  return (
    <div>
      <Anchor
        component="button"
        type="button"
        size="sm"
        onClick={toggle}
        aria-expanded={isOpen}
        aria-label={`${isOpen ? 'Hide' : 'Show'} the evidence: ${subject}`}
      >
        {isOpen ? 'Hide the evidence' : 'Show the evidence'}
      </Anchor>
      {isOpen && <Signals path={path} />}
    </div>
  );
}

function Signals({ path }: { path: string }) {
  const view = useView();
  const query = usePages<SignalPage>(['signals', view.id, path], `${path}/signals`, view, {});
  return (
    <QueryState query={query} lines={2}>
      {({ pages }) => {
        const signals = pages.flatMap(({ data }) => data);
        if (signals.length === 0)
          return (
            <Text size="sm" c="dimmed">
              This server has no evidence.
            </Text>
          );
        return (
          <Stack gap="xs" component="ol" p={0} m={0} mt="xs" style={{ listStyle: 'none' }}>
            {signals.map((signal, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: signals are only ever added
              <SignalItem key={index} signal={signal} />
            ))}
            <LoadMore query={query} />
          </Stack>
        );
      }}
    </QueryState>
  );
}

function SignalItem({ signal }: { signal: Signal }) {
  const { at, actor, source, evidence } = signal;
  const links = Object.values(evidence).filter(
    (value): value is string => typeof value === 'string' && /^https?:\/\//.test(value),
  );
  return (
    <li>
      <Text size="sm">{meaningOf(signal)}</Text>
      <Text size="xs" c="dimmed">
        {formatInstant(at)} · source: {source}
        {actor !== null && ` · ${actor.name}${actor.is_bot ? ' (bot)' : ''}`}
        {links.map((link) => (
          <span key={link}>
            {' · '}
            <Anchor href={link} rel="noreferrer" inherit underline="always">
              open
            </Anchor>
          </span>
        ))}
      </Text>
      {Object.keys(evidence).length > 0 && (
        <Code
          block
          mt="xxs"
          tabIndex={0}
          role="group"
          aria-label="Evidence"
          style={{ maxHeight: 240, overflow: 'auto' }}
        >
          {JSON.stringify(evidence, null, 2)}
        </Code>
      )}
    </li>
  );
}
