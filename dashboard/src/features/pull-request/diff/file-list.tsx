import { Badge, Box, Group, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useRef, useState } from 'react';
import { formatNumber } from '../../../lib/format.ts';
import type { Finding } from '../../reviews/wire.ts';
import type { ChangedFile } from '../wire.ts';

const rowHeight = 44;

/** How much a file changes: `+12 −3`. */
export function Size({ file: { added, removed } }: { file: ChangedFile }) {
  return (
    <Text span size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
      +{formatNumber(added)} −{formatNumber(removed)}
    </Text>
  );
}

/**
 * All files of a change, to go to one of them; only visible ones are rendered. Memoized, so that scrolling through the diff does
 * not render it again.
 */
export const FileList = memo(function FileList({
  files,
  total,
  findingsOf,
  height,
  onChoose,
}: {
  files: readonly ChangedFile[];
  total: number;
  findingsOf: (file: ChangedFile) => readonly Finding[];
  height: number | string;
  onChoose: (file: ChangedFile) => void;
}) {
  const [search, setSearch] = useState('');
  const frame = useRef<HTMLDivElement>(null);
  const wanted = search.trim().toLowerCase();
  const found =
    wanted === '' ? files : files.filter((file) => file.shown_path.toLowerCase().includes(wanted));
  const virtualizer = useVirtualizer({
    count: found.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 6,
  });
  const rows = virtualizer.getVirtualItems();
  return (
    <>
      <TextInput
        label="Find a file"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        mb="xs"
      />
      <Text size="xs" c="dimmed" mb="xxs" role="status">
        {wanted === ''
          ? `${formatNumber(total)} changed ${total === 1 ? 'file' : 'files'}`
          : `${formatNumber(found.length)} of ${formatNumber(total)} files`}
        {files.length < total && `; the first ${formatNumber(files.length)} are shown`}
      </Text>
      <Box
        ref={frame}
        style={{ height, overflowY: 'auto' }}
        tabIndex={0}
        role="group"
        aria-label="Changed files"
      >
        <ul
          style={{
            listStyle: 'none',
            margin: 0,
            padding: 0,
            height: virtualizer.getTotalSize(),
            position: 'relative',
          }}
        >
          {rows.map(({ index, start }) => {
            const file = found[index]!;
            const slash = file.shown_path.lastIndexOf('/') + 1;
            const { length: findings } = findingsOf(file);
            return (
              <li
                key={file.path}
                aria-setsize={found.length}
                aria-posinset={index + 1}
                style={{ position: 'absolute', top: start, left: 0, right: 0, height: rowHeight }}
              >
                <UnstyledButton w="100%" px="xxs" onClick={() => onChoose(file)} title={file.shown_path}>
                  <Group gap="xxs" wrap="nowrap" justify="space-between">
                    <Text size="sm" truncate="end">
                      {file.shown_path.slice(slash)}
                    </Text>
                    <Group gap="xxs" wrap="nowrap">
                      {findings > 0 && (
                        <Badge color="orange" aria-label={`${findings} findings`}>
                          {findings}
                        </Badge>
                      )}
                      <Size file={file} />
                    </Group>
                  </Group>
                  <Text size="xs" c="dimmed" truncate="end">
                    {file.shown_path.slice(0, slash) || '/'}
                  </Text>
                </UnstyledButton>
              </li>
            );
          })}
        </ul>
      </Box>
    </>
  );
});
