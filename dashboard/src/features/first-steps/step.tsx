import { ActionIcon, Badge, Code, CopyButton, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { CheckIcon, CopyIcon } from '../../components/icons.tsx';

export type StepState = 'done' | 'now' | 'later' | 'failing';

const badges: Readonly<Record<StepState, { readonly label: string; readonly color: string }>> = {
  done: { label: 'Done', color: 'teal' },
  now: { label: 'Now', color: 'indigo' },
  later: { label: 'Later', color: 'gray' },
  failing: { label: 'Failing', color: 'red' },
};

/** A command for a terminal, with a button that copies it. */
export function Command({ children }: { children: string }) {
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Code block style={{ whiteSpace: 'pre-wrap', wordBreak: 'break-word', flex: 1, minWidth: 0 }}>
        {children}
      </Code>
      <CopyButton value={children}>
        {({ copied, copy }) => (
          <ActionIcon
            variant="default"
            size="lg"
            onClick={copy}
            aria-label={copied ? 'Copied' : 'Copy the command'}
          >
            {copied ? <CheckIcon /> : <CopyIcon />}
          </ActionIcon>
        )}
      </CopyButton>
    </Group>
  );
}

/** One step: its purpose, its state, and how to continue. */
export function Step({
  number,
  title,
  state,
  children,
  command,
  button,
}: {
  number: number;
  title: string;
  state: StepState;
  children: ReactNode;
  command: string;
  button: ReactNode;
}) {
  const { label, color } = badges[state];
  return (
    <Paper withBorder p={{ base: 'sm', sm: 'lg' }} component="li" aria-label={title}>
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Title order={2}>
            {number}. {title}
          </Title>
          <Badge color={color} style={{ flexShrink: 0 }}>
            {label}
          </Badge>
        </Group>
        <Text component="div" aria-live="polite">
          {children}
        </Text>
        {state !== 'done' && <Command>{command}</Command>}
        <Group gap="xs">{button}</Group>
      </Stack>
    </Paper>
  );
}
