import { Button, Group, Modal, Radio, Stack, Text, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useAction } from '../../../components/action.ts';
import { FormError } from '../../../components/form-error.tsx';
import { api } from '../../../lib/api.ts';
import { formatNumber } from '../../../lib/format.ts';
import type { View } from '../../../lib/session.ts';
import { type AlikeLearning, type LearningUsage, learningKeys, scopeOfLearning } from '../wire.ts';

interface MergeProps {
  readonly view: View;
  readonly learning: LearningUsage;
  readonly other: AlikeLearning;
}

/** Merges two Learnings: one stays, with a text that can be changed, and the other is retired. */
export function MergeButton(props: MergeProps) {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button size="compact-xs" variant="default" onClick={open}>
        Merge
      </Button>
      <Modal opened={isOpen} onClose={close} title="Merge two Learnings" size="lg">
        {isOpen && <MergeForm {...props} onDone={close} />}
      </Modal>
    </>
  );
}

function MergeForm({ view, learning, other, onDone }: MergeProps & { onDone: () => void }) {
  const both = [learning, other];
  const [keptId, setKeptId] = useState(learning.id);
  const kept = both.find(({ id }) => id === keptId)!;
  const [text, setText] = useState(learning.learning);
  const merge = useAction(
    () =>
      api('POST', 'learnings/merges', {
        scope: scopeOfLearning(view, learning),
        body: {
          kept_id: keptId,
          retired_id: both.find(({ id }) => id !== keptId)!.id,
          ...(text.trim() !== kept.learning && { learning: text }),
        },
      }),
    { invalidates: learningKeys(view), done: 'Merged; the other one is retired', showsErrorItself: true },
  );
  function choose(id: string) {
    setKeptId(id);
    setText(both.find((each) => each.id === id)!.learning);
  }
  return (
    <Stack>
      <Radio.Group label="Which one do you want to keep?" value={keptId} onChange={choose}>
        <Stack gap="xs" mt="xs">
          {both.map((each) => (
            <Radio
              key={each.id}
              value={each.id}
              label={each.learning}
              description={`Used ${formatNumber(each.usage_count)} ${each.usage_count === 1 ? 'time' : 'times'}`}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Textarea
        label="Text to keep"
        description="Credentials are removed before it is stored"
        autosize
        minRows={2}
        maxLength={10_000}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Text size="sm" c="dimmed">
        It gets the uses and comments of both. The other one is retired and can be restored.
      </Text>
      <FormError error={merge.error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button
          loading={merge.isPending}
          disabled={text.trim() === ''}
          onClick={() => merge.mutate(undefined, { onSuccess: onDone })}
        >
          Merge
        </Button>
      </Group>
    </Stack>
  );
}
