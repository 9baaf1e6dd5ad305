import { Badge, Tabs } from '@mantine/core';
import { PageTitle } from '../../components/query-state.tsx';
import { formatNumber } from '../../lib/format.ts';
import { useFilters } from '../../lib/search.ts';
import { useView } from '../../lib/session.ts';
import { ApprovalQueue, usePendingCount } from './approval-queue.tsx';
import { ImportLearnings } from './import-learnings.tsx';
import { LearningList } from './learning-list.tsx';
import { NewLearning } from './new-learning.tsx';
import { SemanticSearch } from './semantic-search.tsx';

/** The guidance that reviews follow: search, edit and approve it. */
export default function LearningsPage() {
  const view = useView();
  const [{ tab }, change] = useFilters();
  const pendingCount = usePendingCount(view);
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
              rightSection={pendingCount > 0 && <Badge variant="filled">{formatNumber(pendingCount)}</Badge>}
            >
              Pending approval
            </Tabs.Tab>
          )}
        </Tabs.List>
        <Tabs.Panel value="all">{(tab ?? 'all') === 'all' && <LearningList view={view} />}</Tabs.Panel>
        <Tabs.Panel value="search">{tab === 'search' && <SemanticSearch view={view} />}</Tabs.Panel>
        <Tabs.Panel value="pending">{tab === 'pending' && <ApprovalQueue view={view} />}</Tabs.Panel>
      </Tabs>
    </>
  );
}
