import { Badge } from '@mantine/core';
import { outcomes } from '../measures/outcomes.ts';

/** The outcome of a comment, in words as well as color. */
export function OutcomeBadge({ accepted }: { accepted: boolean | null }) {
  const name = accepted === null ? 'unknown' : accepted ? 'accepted' : 'not_accepted';
  const { label, color } = outcomes.find((outcome) => outcome.name === name)!;
  return (
    // Otherwise, a narrow column would cut off the words.
    <Badge color={color} miw="max-content">
      {label}
    </Badge>
  );
}
