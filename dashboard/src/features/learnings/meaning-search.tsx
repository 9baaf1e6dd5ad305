import { Button, Group, Progress, Select, Stack, Text, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Empty, QueryState } from '../../components/query-state.tsx';
import { api } from '../../lib/api.ts';
import { useFilters } from '../../lib/search.ts';
import type { View } from '../../lib/session.ts';
import { LearningCard } from './learning-card.tsx';
import { type FoundLearning, useRepositories } from './wire.ts';

const fileReasons = { exact: 'about this very file', folder: 'about its folder', any: '' };

function reasonsOf({ reasons }: FoundLearning): string {
  const told = [
    reasons.meaning === null ? '' : `meaning ${Math.round(reasons.meaning * 100)} %`,
    `words ${Math.round(reasons.words * 100)} %`,
    fileReasons[reasons.file],
    reasons.scope === 'pull_request' ? 'only in its pull request' : '',
  ];
  return told.filter((text) => text !== '').join(' · ');
}

/** What a review of a repository would be told, and why. */
export function MeaningSearch({ view }: { view: View }) {
  const [{ query: asked, repository, file }, change] = useFilters();
  const repositories = useRepositories(view);
  const [typed, setTyped] = useState(asked ?? '');
  const [typedFile, setTypedFile] = useState(file ?? '');
  const found = useQuery({
    queryKey: ['found', view.id, asked, repository, file],
    queryFn: () =>
      api<{ data: FoundLearning[] }>('POST', 'learnings/search', {
        scope: view,
        body: { repository_id: repository, query: asked, limit: 20, ...(file !== undefined && { file }) },
      }),
    enabled: asked !== undefined && repository !== undefined,
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
          <Select
            label="Repository"
            required
            searchable
            data={repositories}
            value={repository ?? null}
            onChange={(value) => change({ repository: value ?? undefined })}
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
      {asked === undefined || repository === undefined ? (
        <Empty title="Search by meaning">
          Choose a repository and say what it is about, in your own words: you see what a review would be
          told, and why.
        </Empty>
      ) : (
        <QueryState query={found}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty title="Nothing close enough">Say it in other words, or choose another repository.</Empty>
            ) : (
              <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
                {data.map((learning) => (
                  <LearningCard key={learning.id} view={view} learning={learning}>
                    <Group gap="xs" mt={4}>
                      <Progress
                        value={learning.score * 100}
                        w={80}
                        aria-label={`Score ${Math.round(learning.score * 100)} %`}
                      />
                      <Text size="xs">{reasonsOf(learning)}</Text>
                    </Group>
                  </LearningCard>
                ))}
              </Stack>
            )
          }
        </QueryState>
      )}
    </>
  );
}
