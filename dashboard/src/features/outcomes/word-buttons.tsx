import { Button, Group } from '@mantine/core';
import type { QueryKey } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../../components/action.ts';
import { api } from '../../lib/api.ts';
import { useView } from '../../lib/session.ts';

const words = [
  { label: 'Accept', accepted: true, done: 'Marked as accepted' },
  { label: 'Reject', accepted: false, done: 'Marked as not accepted' },
  { label: 'Withdraw', accepted: null, done: 'Verdict withdrawn' },
] as const;

/** Buttons for a person's verdict on a comment, which takes precedence over all observed signals. */
export function WordButtons({
  path,
  subject,
  mayBeSaid,
  invalidates,
}: {
  /** The path of the endpoint for this comment. */
  path: string;
  /** What is judged, for screen readers. */
  subject: string;
  /** Whether there may be a verdict; otherwise there is nothing to withdraw. */
  mayBeSaid: boolean;
  invalidates: readonly QueryKey[];
}) {
  const view = useView();
  // The loaded data says whether there is a verdict, but it includes one that is given here only a moment later.
  const [isSaidHere, setIsSaidHere] = useState<boolean>();
  const canWithdraw = isSaidHere ?? mayBeSaid;
  const say = useAction(
    async ({ accepted, done }: (typeof words)[number]) => {
      await api('PATCH', path, { scope: view, body: { accepted } });
      setIsSaidHere(accepted !== null);
      return done;
    },
    { invalidates: [...invalidates, ['signals', view.id, path]], done: (text) => text },
  );
  return (
    <Group gap="xs">
      {words
        .filter(({ accepted }) => accepted !== null || canWithdraw)
        .map((word) => (
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
