import { Center, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** The frame around the pages shown before signing in. */
export function SignInFrame({
  title,
  about,
  children,
}: {
  title: string;
  about?: string;
  children: ReactNode;
}) {
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder shadow="sm" p="xl" w="100%" maw={420}>
        <title>{`${title} · Postil`}</title>
        <Stack>
          <div>
            <Text fw={600} c="dimmed">
              Postil
            </Text>
            <Title order={1}>{title}</Title>
            {about && (
              <Text c="dimmed" size="sm" mt="xxs">
                {about}
              </Text>
            )}
          </div>
          {children}
        </Stack>
      </Paper>
    </Center>
  );
}
