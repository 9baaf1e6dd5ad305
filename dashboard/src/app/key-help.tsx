import { Group, Kbd, Modal, Stack, Text } from '@mantine/core';
import { keys } from '../lib/keys.ts';

/** The keys that work on every page. */
export function KeyHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Keyboard shortcuts" centered>
      <Stack gap="sm" component="dl" m={0}>
        {keys.map(({ keys: pressed, does }) => (
          <Group key={does} wrap="nowrap" justify="space-between">
            <Text component="dt" size="sm">
              {does}
            </Text>
            <Group component="dd" gap="xxs" wrap="nowrap" m={0}>
              {pressed.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </Group>
          </Group>
        ))}
      </Stack>
    </Modal>
  );
}
