import { Badge } from '@mantine/core';
import { outcomes } from '../measures/outcomes.ts';

/** What became of a comment, in words as well as color. */
export function OutcomeBadge({ accepted }: { accepted: boolean | null }) {
  const name = accepted === null ? 'unknown' : accepted ? 'accepted' : 'not_accepted';
  const { label, color } = outcomes.find((outcome) => outcome.name === name)!;
  return (
    // Else a narrow column cuts its words short.
    <Badge color={color} miw="max-content">
      {label}
    </Badge>
  );
}
