import { Button, List, Modal, Stack, Text, ThemeIcon } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { ErrorMessage, Loading } from '../../components/query-state.tsx';
import { api } from '../../lib/api.ts';
import type { Check, Connection } from './wire.ts';

function CheckList({ checks }: { checks: readonly Check[] }) {
  const failed = checks.filter(({ ok }) => !ok).length;
  return (
    <Stack>
      <Text>{failed === 0 ? 'All checks passed.' : `${failed} of ${checks.length} checks failed.`}</Text>
      <List spacing="sm" center={false}>
        {checks.map(({ name, ok, message }) => (
          <List.Item
            key={name}
            icon={
              <ThemeIcon color={ok ? 'teal' : 'red'} size={20} radius="xl" variant="outline" aria-hidden>
                {ok ? '✓' : '!'}
              </ThemeIcon>
            }
          >
            <Text fw={600} size="sm">
              <span className="visually-hidden">{ok ? 'Passed: ' : 'Failed: '}</span>
              {name}
            </Text>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {message}
            </Text>
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}

/** Checks credentials, permissions, webhook and clock against the host, and shows the results. */
export function CheckButton({ connection, name }: { connection: Connection; name: string }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const check = useMutation({
    mutationFn: () => api<{ checks: Check[] }>('POST', `connections/${connection.id}/check`),
  });
  function begin() {
    open();
    check.mutate();
  }
  return (
    <>
      <Button size="xs" variant="default" onClick={begin}>
        Check
      </Button>
      <Modal opened={isOpen} onClose={close} title={`Connection check: ${name}`} centered>
        {check.isPending && <Loading lines={4} />}
        {check.isError && <ErrorMessage error={check.error} onRetry={() => check.mutate()} />}
        {check.isSuccess && <CheckList checks={check.data.checks} />}
      </Modal>
    </>
  );
}
