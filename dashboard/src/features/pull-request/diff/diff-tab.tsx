import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Empty, QueryState } from '../../../components/query-state.tsx';
import { api } from '../../../lib/api.ts';
import type { View } from '../../../lib/session.ts';
import { FindingList } from '../../reviews/finding-list.tsx';
import type { Run } from '../../reviews/wire.ts';
import { type ChangedFiles, missingCode } from '../wire.ts';
import { Changes } from './changes.tsx';

/** The diff that a review compared, with its findings at their lines. */
export function DiffTab({ run, view, mayReadCode }: { run: Run; view: View; mayReadCode: boolean }) {
  const query = useQuery({
    queryKey: ['files', view.id, run.id],
    queryFn: () => api<ChangedFiles>('GET', `reviews/${run.id}/files`, { scope: view }),
    enabled: mayReadCode,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (!mayReadCode)
    return (
      <WithoutCode run={run} title="You do not have access to the code of this repository">
        Code is shown to people who can read the repository at its host and whose role has the permission
        “repository management: read”.
      </WithoutCode>
    );
  return (
    <QueryState query={query}>
      {(found) =>
        found.missing === null ? (
          <Changes key={run.id} found={found} run={run} view={view} />
        ) : (
          <WithoutCode run={run} title="The code is not available">
            {missingCode[found.missing]}
          </WithoutCode>
        )
      }
    </QueryState>
  );
}

/** The findings alone, if there is no code to show them in. */
function WithoutCode({ run, title, children }: { run: Run; title: string; children: string }) {
  return (
    <Stack gap="md">
      <Empty title={title}>{children}</Empty>
      <FindingList run={run} />
    </Stack>
  );
}
