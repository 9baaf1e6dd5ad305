import { Stack } from '@mantine/core';
import { FindingCard } from './finding-card.tsx';
import type { Run } from './wire.ts';

/** The findings of a run that are not posted, because their rules are quiet. */
export const quietIn = (run: Run): ReadonlySet<string> =>
  new Set(run.report?.quiet.map(({ finding_id }) => finding_id));

/** All findings of a run, one below the other. */
export function FindingList({ run }: { run: Run }) {
  const quiet = quietIn(run);
  return (
    <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Findings">
      {run.findings.map((finding) => (
        <FindingCard
          key={finding.finding_id}
          finding={finding}
          run={run}
          isQuiet={quiet.has(finding.finding_id)}
        />
      ))}
    </Stack>
  );
}
