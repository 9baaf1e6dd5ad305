import { Badge, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { PageTitle } from '../../components/query-state.tsx';
import { api } from '../../lib/api.ts';
import { useFilters } from '../../lib/search.ts';
import { useView } from '../../lib/session.ts';
import { ApprovalQueue } from './approval-queue.tsx';
import { ImportLearnings } from './import-learnings.tsx';
import { LearningList } from './learning-list.tsx';
import { NewLearning } from './new-learning.tsx';
import { SemanticSearch } from './semantic-search.tsx';
import type { PendingLearning } from './wire.ts';

/** The guidance that reviews follow: search, edit and approve it. */
export default function LearningsPage() {
  const view = useView();
  const [{ tab }, change] = useFilters();
  const pending = useQuery({
    queryKey: ['pending', view.id],
    queryFn: () => api<{ data: PendingLearning[] }>('GET', 'learnings/pending', { scope: view }),
    enabled: view.isAdmin,
  });
  const pendingCount = pending.data?.data.length ?? 0;
  return (
    <>
      <PageTitle title="Learnings" about={`Guidance that reviews in ${view.name} follow`}>
        {view.kind === 'organization' && view.may('learning:write') && (
          <>
            <ImportLearnings view={view} />
            <NewLearning view={view} />
          </>
        )}
      </PageTitle>
      <Tabs
        value={tab ?? 'all'}
        onChange={(value) => change({ tab: value === 'all' ? undefined : (value ?? undefined) })}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="all">All</Tabs.Tab>
          {view.kind === 'organization' && <Tabs.Tab value="search">Semantic search</Tabs.Tab>}
          {view.isAdmin && (
            <Tabs.Tab
              value="pending"
              rightSection={
                pendingCount > 0 && (
                  <Badge variant="filled" aria-label={`${pendingCount} pending`}>
                    {pendingCount}
                  </Badge>
                )
              }
            >
              Pending approval
            </Tabs.Tab>
          )}
        </Tabs.List>
        <Tabs.Panel value="all">{(tab ?? 'all') === 'all' && <LearningList view={view} />}</Tabs.Panel>
        <Tabs.Panel value="search">{tab === 'search' && <SemanticSearch view={view} />}</Tabs.Panel>
        <Tabs.Panel value="pending">
          {tab === 'pending' && <ApprovalQueue view={view} query={pending} />}
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
