import { Button, Group, Progress, Stack, Text, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { RepositorySelect } from '../../components/filters/repository-select.tsx';
import { Empty, QueryState } from '../../components/query-state.tsx';
import { api } from '../../lib/api.ts';
import { useFilters } from '../../lib/search.ts';
import type { View } from '../../lib/session.ts';
import { LearningCard } from './learning-card.tsx';
import type { FoundLearning } from './wire.ts';

const maxFound = 20;
const fileReasons = { exact: 'about this file', folder: 'about its folder', any: '' };

function reasonsOf({ reasons }: FoundLearning): string {
  const parts = [
    reasons.meaning === null ? '' : `meaning ${Math.round(reasons.meaning * 100)}%`,
    `words ${Math.round(reasons.words * 100)}%`,
    fileReasons[reasons.file],
    reasons.scope === 'pull_request' ? 'private to its pull request' : '',
  ];
  return parts.filter((text) => text !== '').join(' · ');
}

/** Shows which Learnings a review would retrieve, and why. */
export function SemanticSearch({ view }: { view: View }) {
  const [{ query: submitted, repository, file }, change] = useFilters();
  const [typed, setTyped] = useState(submitted ?? '');
  const [typedFile, setTypedFile] = useState(file ?? '');
  const found = useQuery({
    queryKey: ['found', view.id, submitted, repository, file],
    queryFn: () =>
      api<{ data: FoundLearning[] }>('POST', 'learnings/search', {
        scope: view,
        body: {
          repository_id: repository,
          query: submitted,
          limit: maxFound,
          ...(file !== undefined && { file }),
        },
      }),
    enabled: submitted !== undefined && repository !== undefined,
    placeholderData: keepPreviousData,
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    change({ query: typed.trim(), file: typedFile.trim() });
  }
  return (
    <>
      <form onSubmit={submit}>
        <Group mb="md" align="flex-end" gap="xs">
          <RepositorySelect
            view={view}
            value={repository}
            onChange={(id) => change({ repository: id })}
            required
          />
          <TextInput
            label="What is it about?"
            placeholder="A sentence or a piece of code"
            required
            miw={{ base: '100%', sm: 320 }}
            maxLength={10_000}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <TextInput
            label="File (optional)"
            maxLength={1024}
            value={typedFile}
            onChange={(event) => setTypedFile(event.currentTarget.value)}
          />
          <Button type="submit" loading={found.isFetching}>
            Search
          </Button>
        </Group>
      </form>
      {submitted === undefined || repository === undefined ? (
        <Empty title="Semantic search">
          Choose a repository and describe a topic in your own words to see which Learnings a review would
          retrieve, and why.
        </Empty>
      ) : (
        <QueryState query={found}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty title="No close matches">Try other words, or choose another repository.</Empty>
            ) : (
              <>
                {data.length === maxFound && (
                  <Text size="sm" c="dimmed" mb="xs">
                    The {maxFound} closest matches; there may be more.
                  </Text>
                )}
                <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
                  {data.map((learning) => (
                    <li key={learning.id}>
                      <LearningCard view={view} learning={learning}>
                        {() => (
                          <Group gap="xs" mt="xxs">
                            <Progress
                              value={learning.score * 100}
                              w={80}
                              aria-label={`Score ${Math.round(learning.score * 100)}%`}
                            />
                            <Text size="xs">{reasonsOf(learning)}</Text>
                          </Group>
                        )}
                      </LearningCard>
                    </li>
                  ))}
                </Stack>
              </>
            )
          }
        </QueryState>
      )}
    </>
  );
}
