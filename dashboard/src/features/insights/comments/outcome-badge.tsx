import { Badge } from '@mantine/core';

/** What became of a comment, in words as well as color. */
export function OutcomeBadge({ accepted }: { accepted: boolean | null }) {
  if (accepted === null)
    return (
      <Badge variant="outline" color="gray">
        unknown
      </Badge>
    );
  return (
    <Badge variant="outline" color={accepted ? 'indigo' : 'orange'}>
      {accepted ? 'accepted' : 'not accepted'}
    </Badge>
  );
}
