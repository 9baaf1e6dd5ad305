import { Anchor, Badge, Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Empty, QueryState } from '../../../components/query-state.tsx';
import { api } from '../../../lib/api.ts';
import { formatInstant } from '../../../lib/format.ts';
import type { View } from '../../../lib/session.ts';
import { useOpenInDiff } from '../place.ts';
import type { Conversation, PullRequest } from '../wire.ts';
import '../report/impact.css';

/** Loaded on first use: it is large, and most visitors of a pull request do not open this tab. */
const Markdown = lazy(async () => ({
  default: (await import('../../../components/markdown/markdown.tsx')).Markdown,
}));

type Comment = Conversation['comments'][number];
type Thread = Conversation['threads'][number];

const missing = {
  not_connected: 'No Git host is connected for this repository.',
  paused: 'The connection to its host is paused.',
} as const;

/** The conversation on a pull request, as it is on the host now. */
export function ConversationTab({ pull, view }: { pull: PullRequest; view: View }) {
  const path = `pull-requests/${encodeURIComponent(pull.repository_id)}/${pull.number}/conversation`;
  const query = useQuery({
    queryKey: ['conversation', view.id, pull.repository_id, pull.number],
    queryFn: () => api<Conversation>('GET', path, { scope: view }),
    enabled: pull.may_read_code,
    retry: false,
  });
  if (!pull.may_read_code)
    return (
      <Empty title="You do not have access to this conversation">
        Conversations are shown to people who can read the repository at its host.
      </Empty>
    );
  return (
    <QueryState query={query}>
      {(said) =>
        said.missing !== null ? (
          <Empty title="The conversation is not available">{missing[said.missing]}</Empty>
        ) : said.comments.length + said.threads.length === 0 ? (
          <Empty title="No comments yet">Comments on the pull request appear here.</Empty>
        ) : (
          <Stack gap="sm">
            {said.is_cut && <Text size="sm">Only a part is shown; the rest is at the host.</Text>}
            {inOrder(said).map((entry) =>
              'comments' in entry ? (
                <ThreadCard key={`thread ${entry.id}`} thread={entry} />
              ) : (
                <Paper key={entry.id} withBorder p="md">
                  <CommentText comment={entry} />
                </Paper>
              ),
            )}
          </Stack>
        )
      }
    </QueryState>
  );
}

/** Comments and threads by when they began. */
function inOrder({ comments, threads }: Conversation): (Comment | Thread)[] {
  const begun = (entry: Comment | Thread) =>
    'comments' in entry ? (entry.comments[0]?.created_at ?? '') : entry.created_at;
  return [...comments, ...threads].sort((a, b) => (begun(a) < begun(b) ? -1 : 1));
}

function ThreadCard({ thread }: { thread: Thread }) {
  const { openPlace, openFinding } = useOpenInDiff();
  const { path, line, finding_id } = thread;
  const place = line === null ? path : `${path}:${line}`;
  return (
    <Paper withBorder p="md" component="section" aria-label={`Thread about ${place}`}>
      <Group gap="xs" mb="xs">
        {finding_id !== null || (line !== null && thread.side === 'new') ? (
          <button
            type="button"
            className="plain-link"
            onClick={() => (finding_id === null ? openPlace({ path, line: line! }) : openFinding(finding_id))}
          >
            {place}
          </button>
        ) : (
          <Text size="xs" ff="monospace">
            {place}
          </Text>
        )}
        {thread.is_resolved && <Badge color="teal">Resolved</Badge>}
      </Group>
      <Stack gap="sm">
        {thread.comments.map((comment) => (
          <CommentText key={comment.id} comment={comment} />
        ))}
      </Stack>
    </Paper>
  );
}

function CommentText({ comment: { author, is_own, body, url, created_at } }: { comment: Comment }) {
  return (
    <div>
      <Group gap="xs" mb="xxs">
        <Text fw={600} size="sm">
          {author?.username ?? 'Somebody'}
        </Text>
        {is_own && <Badge color="indigo">Postil</Badge>}
        <Anchor href={url} rel="noreferrer" size="xs">
          {formatInstant(created_at)}
        </Anchor>
      </Group>
      <Suspense fallback={<Skeleton height={20} />}>
        <Markdown text={body} />
      </Suspense>
    </div>
  );
}
