import { Alert, Button, FileInput, List, Modal, Progress, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useAction } from '../../components/action.ts';
import { FormError } from '../../components/form-error.tsx';
import { api } from '../../lib/api.ts';
import { readableError } from '../../lib/format.ts';
import type { View } from '../../lib/session.ts';
import { type ImportItem, readItems } from './read-items.ts';
import { type CreateResult, learningKeys } from './wire.ts';

const batchSize = 100;
const maxShownFailures = 20;

interface Outcome {
  readonly created: number;
  readonly duplicate: number;
  readonly failures: readonly string[];
}

/** Creates Learnings from a CSV file; an exported file works too. */
export function ImportLearnings({ view }: { view: View }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const [file, setFile] = useState<File | null>(null);
  const [done, setDone] = useState(0);
  const [outcome, setOutcome] = useState<Outcome>();
  const run = useAction(
    async () => {
      setDone(0);
      setOutcome(undefined);
      const items = readItems(await file!.text());
      setOutcome(await importItems(view, items, (count) => setDone(count / items.length)));
    },
    { invalidates: learningKeys(view) },
  );
  function closeAndReset() {
    close();
    setFile(null);
    setOutcome(undefined);
    setDone(0);
  }
  return (
    <>
      <Button variant="default" onClick={open}>
        Import CSV
      </Button>
      <Modal opened={isOpen} onClose={closeAndReset} title="Import Learnings" centered size="lg">
        <Stack>
          <FileInput
            label="CSV file"
            description="Columns: repository_id and learning, and optionally file and source_url. An exported file works too."
            placeholder="Choose a file"
            accept=".csv,text/csv"
            clearable
            value={file}
            onChange={setFile}
          />
          {run.isPending && <Progress value={done * 100} aria-label="Import" animated />}
          <FormError error={run.error} />
          {outcome !== undefined && <OutcomeText outcome={outcome} />}
          <Button disabled={file === null} loading={run.isPending} onClick={() => run.mutate(undefined)}>
            Import
          </Button>
        </Stack>
      </Modal>
    </>
  );
}

async function importItems(
  view: View,
  items: readonly ImportItem[],
  onProgress: (count: number) => void,
): Promise<Outcome> {
  let [created, duplicate] = [0, 0];
  const failures: string[] = [];
  for (let start = 0; start < items.length; start += batchSize) {
    const data = items.slice(start, start + batchSize);
    const answer = await api<CreateResult>('POST', 'learnings', { scope: view, body: { data } });
    created += answer.created_count;
    duplicate += answer.duplicate_count;
    // Row 1 is the header.
    for (const { index, error } of answer.results)
      if (error !== undefined) failures.push(`Row ${start + index + 2}: ${readableError(error.message)}`);
    onProgress(Math.min(start + batchSize, items.length));
  }
  return { created, duplicate, failures };
}

function OutcomeText({ outcome: { created, duplicate, failures } }: { outcome: Outcome }) {
  return (
    <Alert color={failures.length === 0 ? 'teal' : 'orange'} variant="outline" role="status">
      <Text size="sm">
        {created} created, {duplicate} already existed, {failures.length} failed
      </Text>
      {failures.length > 0 && (
        <List size="sm" mt="xs">
          {failures.slice(0, maxShownFailures).map((failure) => (
            <List.Item key={failure}>{failure}</List.Item>
          ))}
          {failures.length > maxShownFailures && (
            <List.Item>and {failures.length - maxShownFailures} more</List.Item>
          )}
        </List>
      )}
    </Alert>
  );
}
