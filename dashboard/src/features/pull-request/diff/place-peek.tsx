import { Box, Modal, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { QueryState } from '../../../components/query-state.tsx';
import { api } from '../../../lib/api.ts';
import type { View } from '../../../lib/session.ts';
import type { Place } from '../place.ts';
import { type FileLines, missingCode } from '../wire.ts';
import type { DiffLine } from './rows/diff-lines.ts';
import { LineRow } from './rows/line-row.tsx';

const around = 10;

/** A place outside the diff, with the lines around it, in the new version. */
export function PlacePeek({
  place,
  runId,
  view,
  onClose,
}: {
  place: Place | null;
  runId: string;
  view: View;
  onClose: () => void;
}) {
  const { path, line } = place ?? { path: '', line: 1 };
  const start = Math.max(1, line - around);
  const query = useQuery({
    queryKey: ['lines', view.id, runId, path, line],
    queryFn: () =>
      api<FileLines>('GET', `reviews/${runId}/lines`, {
        scope: view,
        query: { path, start, end: line + around },
      }),
    enabled: place !== null,
    retry: false,
  });
  return (
    <Modal opened={place !== null} onClose={onClose} title={`${path}:${line}`} size="xl">
      <Text size="sm" c="dimmed" mb="xs">
        Not part of the diff; shown as it is after the change.
      </Text>
      <QueryState query={query} lines={3}>
        {({ missing, lines }) =>
          missing === null ? (
            <Box style={{ overflow: 'auto', maxHeight: '60vh' }} tabIndex={0} role="group" aria-label="Lines">
              {lines.map((text, index) => {
                const number = start + index;
                const shown: DiffLine = { sign: ' ', oldLine: null, newLine: number, text };
                return <LineRow key={number} line={shown} colours={undefined} isHere={number === line} />;
              })}
            </Box>
          ) : (
            <Text>{missingCode[missing]}</Text>
          )
        }
      </QueryState>
    </Modal>
  );
}
