import { Anchor, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { LoadMore, usePages } from '../../../components/lists/load-more.tsx';
import { PageLink } from '../../../components/page-link.tsx';
import { QueryState } from '../../../components/query-state.tsx';
import { formatNumber, formatRelativeTime, humanize } from '../../../lib/format.ts';
import type { View } from '../../../lib/session.ts';
import { OutcomeBadge } from '../../insights/comments/outcome-badge.tsx';
import { type CitingPage, type LearningUsage, scopeOfLearning } from '../wire.ts';

/** The outcomes of comments that cite a Learning, with a dialog that lists them. */
export function CitingButton({ view, learning }: { view: View; learning: LearningUsage }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const { followed, contradicted, undecided } = learning;
  const total = followed + contradicted + undecided;
  if (total === 0) return null;
  return (
    <>
      <Anchor component="button" type="button" size="xs" ta="left" onClick={open}>
        Cited by {formatNumber(total)} {total === 1 ? 'comment' : 'comments'}: {formatNumber(followed)}{' '}
        accepted, {formatNumber(contradicted)} not accepted, {formatNumber(undecided)} unknown
      </Anchor>
      <Modal opened={isOpen} onClose={close} title="Comments that cite this Learning" size="lg">
        <Text mb="md" c="dimmed" lineClamp={3}>
          {learning.learning}
        </Text>
        {isOpen && <Citing view={view} learning={learning} />}
      </Modal>
    </>
  );
}

function Citing({ view, learning }: { view: View; learning: LearningUsage }) {
  const scope = scopeOfLearning(view, learning);
  const query = usePages<CitingPage>(
    ['learnings', view.id, 'citing', learning.id],
    `learnings/${learning.id}/findings`,
    scope,
    { limit: 20 },
  );
  return (
    <QueryState query={query}>
      {({ pages }) => (
        <>
          <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
            {pages
              .flatMap(({ data }) => data)
              .map((finding) => (
                <li key={`${finding.repository_id}/${finding.pull_request}/${finding.id}`}>
                  <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
                    <div>
                      <PageLink
                        to={`/organizations/${scope.id}/pull-requests/${finding.repository_id}/${finding.pull_request}`}
                        search={{ tab: 'changes', finding: finding.id }}
                      >
                        {finding.title}
                      </PageLink>
                      <Text size="xs" c="dimmed" style={{ wordBreak: 'break-word' }}>
                        {humanize(finding.severity)} · {finding.repository_name} #{finding.pull_request} ·{' '}
                        {finding.path} · {formatRelativeTime(finding.created_at)}
                      </Text>
                    </div>
                    <OutcomeBadge accepted={finding.accepted} />
                  </Group>
                </li>
              ))}
          </Stack>
          <LoadMore query={query} />
        </>
      )}
    </QueryState>
  );
}
