import { Button, Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import { useAction } from '../../components/action.ts';
import { RepositorySelect } from '../../components/filters/repository-select.tsx';
import { FormError } from '../../components/form-error.tsx';
import { api } from '../../lib/api.ts';
import type { View } from '../../lib/session.ts';
import { type CreateResult, learningKeys } from './wire.ts';

/** Writes a Learning. */
export function NewLearning({ view }: { view: View }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button onClick={open}>New Learning</Button>
      <Modal opened={isOpen} onClose={close} title="New Learning" centered size="lg">
        <LearningForm view={view} onDone={close} />
      </Modal>
    </>
  );
}

function LearningForm({ view, onDone }: { view: View; onDone: () => void }) {
  const [repository, setRepository] = useState<string>();
  const [text, setText] = useState('');
  const [file, setFile] = useState('');
  const create = useAction(
    async () => {
      const item = {
        repository_id: repository,
        learning: text,
        ...(file.trim() !== '' && { file: file.trim() }),
      };
      const { results } = await api<CreateResult>('POST', 'learnings', {
        scope: view,
        body: { data: [item] },
      });
      const [result] = results;
      if (result?.error !== undefined) throw new Error(result.error.message);
      return result?.status === 'duplicate' ? 'This Learning exists already' : 'Learning created';
    },
    { invalidates: learningKeys(view), done: (message) => message, showsErrorItself: true },
  );
  function submit(event: FormEvent) {
    event.preventDefault();
    create.mutate(undefined, { onSuccess: onDone });
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <RepositorySelect view={view} value={repository} onChange={setRepository} required />
        <Textarea
          label="Learning"
          description="What reviews should know or do. Credentials are removed before it is stored."
          required
          autosize
          minRows={3}
          maxLength={10_000}
          data-autofocus
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <TextInput
          label="File or folder (optional)"
          maxLength={1024}
          value={file}
          onChange={(event) => setFile(event.currentTarget.value)}
        />
        <FormError error={create.error} />
        <Button
          type="submit"
          loading={create.isPending}
          disabled={repository === undefined || text.trim() === ''}
        >
          Create Learning
        </Button>
      </Stack>
    </form>
  );
}
