import { ActionIcon, Badge, Button, Skeleton, Text } from '@mantine/core';
import { memo } from 'react';
import { formatNumber } from '../../../../lib/format.ts';
import { FindingCard } from '../../../reviews/finding-card.tsx';
import type { Run } from '../../../reviews/wire.ts';
import type { ChangedFile } from '../../wire.ts';
import { Size } from '../file-list.tsx';
import { unfoldedAtOnce } from '../use-unfolded.ts';
import type { Fold } from './diff-lines.ts';
import { type DiffRow, estimateHeight } from './diff-rows.ts';
import { type Colours, LineRow, PairRow } from './line-row.tsx';

/** The data and callbacks that rows use. */
export interface DiffContext {
  readonly run: Run;
  readonly quiet: ReadonlySet<string>;
  readonly toggle: (file: ChangedFile) => void;
  readonly unfold: (file: ChangedFile, fold: Fold) => void;
  readonly retry: (file: ChangedFile) => void;
  readonly jump: (path: string, line: number) => void;
}

function FileRow({ row, context }: { row: DiffRow & { readonly kind: 'file' }; context: DiffContext }) {
  const { file, isCollapsed } = row;
  const name = file.shown_path;
  return (
    <div className="diff-file">
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-expanded={!isCollapsed}
        aria-label={`${isCollapsed ? 'Show' : 'Hide'} ${name}`}
        onClick={() => context.toggle(file)}
      >
        <span aria-hidden="true">{isCollapsed ? '▸' : '▾'}</span>
      </ActionIcon>
      <Text
        component="h2"
        size="sm"
        fw={600}
        ff="monospace"
        m={0}
        style={{ flex: 1, overflowWrap: 'anywhere' }}
      >
        {file.old_path !== null && file.old_path !== file.path && `${file.old_path} → `}
        {name}
      </Text>
      {file.kind !== 'modified' && <Badge color="gray">{file.kind}</Badge>}
      <Size file={file} />
    </div>
  );
}

function FoldRow({ row, context }: { row: DiffRow & { readonly kind: 'fold' }; context: DiffContext }) {
  const { file, fold } = row;
  const count = fold.to - fold.from + 1;
  const shown = Math.min(count, unfoldedAtOnce);
  const text =
    shown < count
      ? `Show ${formatNumber(shown)} of ${formatNumber(count)} unchanged lines`
      : `Show ${formatNumber(count)} unchanged ${count === 1 ? 'line' : 'lines'}`;
  return (
    <div className="diff-fold">
      <Button
        size="compact-xs"
        variant="subtle"
        onClick={() => context.unfold(file, fold)}
        aria-label={`${text} from line ${fold.from} of ${file.shown_path}`}
      >
        {text}
      </Button>
    </div>
  );
}

interface RowProps {
  readonly row: DiffRow;
  readonly colours: Colours;
  /** Whether this is the line that the URL names. */
  readonly isHere: boolean;
  readonly context: DiffContext;
}

function RowContent({ row, colours, isHere, context }: RowProps) {
  switch (row.kind) {
    case 'file':
      return <FileRow row={row} context={context} />;
    case 'waiting':
      return (
        <div style={{ minHeight: estimateHeight(row), padding: 8 }} aria-busy="true">
          <Skeleton height={16} width="60%" />
        </div>
      );
    case 'note':
      return (
        <Text size="sm" p="xs" component="div">
          {row.text}{' '}
          {row.isFailure && (
            <Button size="compact-xs" variant="default" onClick={() => context.retry(row.file)}>
              Try again
            </Button>
          )}
        </Text>
      );
    case 'fold':
      return <FoldRow row={row} context={context} />;
    case 'line':
      return <LineRow line={row.line} colours={colours} isHere={isHere} />;
    case 'pair':
      return <PairRow left={row.left} right={row.right} colours={colours} isHere={isHere} />;
    case 'finding':
      return (
        <ul className="diff-card" style={{ listStyle: 'none', margin: 0 }}>
          <FindingCard
            finding={row.finding}
            run={context.run}
            isQuiet={context.quiet.has(row.finding.finding_id)}
            onJump={context.jump}
            replaced={row.replaced}
          />
        </ul>
      );
  }
}

/** One row of the diff. Memoized: its props stay the same while somebody scrolls, so that visible rows are not rendered again. */
export const RowView = memo(RowContent);
