import { Anchor, Button, Group, Paper, Stack, Text, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAction } from '../../components/action.ts';
import { ConfirmButton } from '../../components/confirm.tsx';
import { api } from '../../lib/api.ts';
import { formatDate, formatRelativeTime } from '../../lib/format.ts';
import type { View } from '../../lib/session.ts';
import { type Learning, learningKeys, scopeOfLearning } from './wire.ts';

/** Where a Learning belongs, who wrote it and how it is used. */
export function LearningFacts({ view, learning }: { view: View; learning: Learning }) {
  const place =
    view.kind === 'workspace'
      ? `${learning.organization_name} / ${learning.repository_name}`
      : learning.repository_name;
  const use =
    learning.last_used_at === null
      ? 'never used'
      : `used ${learning.usage_count} ${learning.usage_count === 1 ? 'time' : 'times'}, last ${formatRelativeTime(learning.last_used_at)}`;
  return (
    <Text size="xs" c="dimmed">
      {place}
      {learning.file !== null && ` · ${learning.file}`} · by {learning.author_username ?? learning.author_id}{' '}
      on {formatDate(learning.created_at)} · {use}
      {learning.source_url !== null && (
        <>
          {' · '}
          <Anchor href={learning.source_url} size="xs" target="_blank" rel="noreferrer" underline="always">
            source
          </Anchor>
        </>
      )}
    </Text>
  );
}

/** One Learning, to read, edit and delete. */
export function LearningCard({
  view,
  learning,
  actions,
  children,
}: {
  view: View;
  learning: Learning;
  /** More actions for people who may write Learnings. */
  actions?: ReactNode;
  children: (mayWrite: boolean) => ReactNode;
}) {
  const [isEditing, setEditing] = useState(false);
  const scope = scopeOfLearning(view, learning);
  const organization = view.organizations.find(({ id }) => id === scope.id);
  const mayWrite = view.may('learning:write') && organization !== undefined;
  const remove = useAction(() => api('DELETE', `learnings/${learning.id}`, { scope }), {
    invalidates: learningKeys(view),
    done: 'Learning deleted',
  });
  return (
    <Paper withBorder p="md">
      {isEditing ? (
        <Editor view={view} learning={learning} onDone={() => setEditing(false)} />
      ) : (
        <Group justify="space-between" align="flex-start" wrap="wrap">
          <Stack gap="xxs" flex={1} miw={220}>
            <Text style={{ whiteSpace: 'pre-wrap', wordBreak: 'break-word' }}>{learning.learning}</Text>
            <LearningFacts view={view} learning={learning} />
            {children(mayWrite)}
          </Stack>
          {mayWrite && (
            <Group gap="xs">
              <Button size="xs" variant="default" onClick={() => setEditing(true)}>
                Edit
              </Button>
              {actions}
              <ConfirmButton
                size="xs"
                variant="default"
                question="Delete this Learning?"
                consequence="Reviews will no longer follow it. This cannot be undone."
                confirm="Delete"
                onConfirm={() => remove.mutate(undefined)}
              >
                Delete
              </ConfirmButton>
            </Group>
          )}
        </Group>
      )}
    </Paper>
  );
}

function Editor({ view, learning, onDone }: { view: View; learning: Learning; onDone: () => void }) {
  const [text, setText] = useState(learning.learning);
  const scope = scopeOfLearning(view, learning);
  const save = useAction(
    () => api('PATCH', `learnings/${learning.id}`, { scope, body: { learning: text } }),
    {
      invalidates: learningKeys(view),
      done: 'Learning saved',
    },
  );
  return (
    <Stack>
      <Textarea
        label="Learning"
        description="Credentials are removed before it is stored"
        autosize
        minRows={2}
        maxLength={10_000}
        data-autofocus
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button
          loading={save.isPending}
          disabled={text.trim() === ''}
          onClick={() => save.mutate(undefined, { onSuccess: onDone })}
        >
          Save
        </Button>
      </Group>
    </Stack>
  );
}
