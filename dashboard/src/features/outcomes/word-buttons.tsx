import { Button, Group } from '@mantine/core';
import type { QueryKey } from '@tanstack/react-query';
import { useAction } from '../../components/action.ts';
import { api } from '../../lib/api.ts';
import { useView } from '../../lib/session.ts';

const words = [
  { label: 'Accept', accepted: true, done: 'Marked as accepted' },
  { label: 'Reject', accepted: false, done: 'Marked as not accepted' },
  { label: 'Withdraw my word', accepted: null, done: 'What was said before no longer counts' },
] as const;

/** A person's word on a comment; it stands above everything that was observed. */
export function WordButtons({
  path,
  subject,
  invalidates,
}: {
  /** Of the endpoint for this comment. */
  path: string;
  /** What is judged, for screen readers. */
  subject: string;
  invalidates: readonly QueryKey[];
}) {
  const view = useView();
  const say = useAction(
    ({ accepted, done }: (typeof words)[number]) =>
      api('PATCH', path, { scope: view, body: { accepted } }).then(() => done),
    { invalidates: [...invalidates, ['signals', view.id, path]], done: (text) => text },
  );
  return (
    <Group gap="xs">
      {words.map((word) => (
        <Button
          key={word.label}
          size="compact-xs"
          variant="default"
          loading={say.isPending && say.variables === word}
          onClick={() => say.mutate(word)}
          aria-label={`${word.label}: ${subject}`}
        >
          {word.label}
        </Button>
      ))}
    </Group>
  );
}
