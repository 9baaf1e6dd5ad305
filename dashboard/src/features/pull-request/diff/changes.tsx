import { Button, Drawer, Group, SegmentedControl } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { useCallback, useMemo, useRef, useState } from 'react';
import { Empty } from '../../../components/query-state.tsx';
import { formatNumber } from '../../../lib/format.ts';
import { useFilters } from '../../../lib/search.ts';
import type { View } from '../../../lib/session.ts';
import { quietIn } from '../../reviews/finding-list.tsx';
import type { Finding, Run } from '../../reviews/wire.ts';
import { nowhere, type Place, placeIn } from '../place.ts';
import type { ChangedFile, ChangedFiles } from '../wire.ts';
import './diff.css';
import { DiffList, type DiffListHandle } from './diff-list.tsx';
import { FileList } from './file-list.tsx';
import { FindingSteps } from './finding-steps.tsx';
import { PlacePeek } from './place-peek.tsx';
import type { DiffContext } from './rows/row-view.tsx';
import { useDiffRows } from './use-diff-rows.ts';
import { targetIn, useTarget } from './use-target.ts';

/** All changed files with their lines, and the navigation through them. */
export function Changes({ found, run, view }: { found: ChangedFiles; run: Run; view: View }) {
  const { files, total } = found;
  const [{ layout, at, file, finding: chosen }, change] = useFilters();
  const isWide = useMediaQuery('(min-width: 900px)') ?? false;
  const isSplit = layout === 'split' && isWide;
  const findingsOf = useFindingsOf(run);
  const { rows, colours, seek, toggle, unfold, retry, setSeen } = useDiffRows(files, findingsOf, {
    run,
    view,
    isSplit,
  });
  const list = useRef<DiffListHandle>(null);
  const place = useMemo(() => placeIn(at), [at]);
  const [peek, setPeek] = useState<Place | null>(null);
  const [filesOpen, { open, close }] = useDisclosure(false);
  const show = useTarget(() => targetIn(run, { place, file, finding: chosen }), {
    files,
    rows,
    seek,
    list,
    onElsewhere: setPeek,
  });
  const ordered = useMemo(() => orderFindings(files, findingsOf), [files, findingsOf]);
  const context = useMemo(
    (): DiffContext => ({
      run,
      quiet: quietIn(run),
      toggle,
      unfold: (of, fold) => unfold({ file: of, fold }),
      retry: ({ path }) => retry(path),
      jump(path, line) {
        change({ ...nowhere, at: `${path}:${line}` }, { keepsScroll: true });
        show({ path, line });
      },
    }),
    [run, toggle, unfold, retry, change, show],
  );
  const chooseFile = useCallback(
    ({ shown_path: path }: ChangedFile) => {
      close();
      show({ path, line: null });
    },
    [close, show],
  );
  const fileList = (height: string) => (
    <FileList files={files} total={total} findingsOf={findingsOf} height={height} onChoose={chooseFile} />
  );
  return (
    <>
      <Group mb="sm" gap="xs">
        <Button variant="default" className="diff-files-button" onClick={open}>
          Files ({formatNumber(total)})
        </Button>
        <FindingSteps
          findings={ordered}
          chosen={chosen}
          onChoose={({ finding_id: findingId, path }) => {
            change({ ...nowhere, finding: findingId }, { replace: true, keepsScroll: true });
            show({ path, line: null, findingId });
          }}
        />
        {isWide && (
          <SegmentedControl
            aria-label="Layout of the diff"
            data={[
              { value: 'unified', label: 'Unified' },
              { value: 'split', label: 'Split' },
            ]}
            value={isSplit ? 'split' : 'unified'}
            onChange={(value) =>
              change({ layout: value === 'split' ? value : undefined }, { replace: true, keepsScroll: true })
            }
          />
        )}
      </Group>
      <div className="diff-panes">
        <aside className="diff-files" aria-label="Files">
          {fileList('calc(100vh - 220px)')}
        </aside>
        <section aria-label="Diff">
          {files.length === 0 ? (
            <Empty title="Nothing changed">The two compared commits have the same content.</Empty>
          ) : (
            <DiffList
              rows={rows}
              colours={colours}
              place={place}
              context={context}
              handle={list}
              onSight={setSeen}
            />
          )}
        </section>
      </div>
      <Drawer opened={filesOpen} onClose={close} title="Files">
        {fileList('calc(100vh - 200px)')}
      </Drawer>
      <PlacePeek place={peek} runId={run.id} view={view} onClose={() => setPeek(null)} />
    </>
  );
}

const noFindings: readonly Finding[] = [];

function useFindingsOf({ findings }: Run) {
  const byPath = useMemo(() => Map.groupBy(findings, ({ path }) => path), [findings]);
  return useCallback((file: ChangedFile) => byPath.get(file.shown_path) ?? noFindings, [byPath]);
}

/** Findings in the order in which the diff shows them. */
function orderFindings(files: readonly ChangedFile[], findingsOf: (file: ChangedFile) => readonly Finding[]) {
  return files.flatMap((file) =>
    findingsOf(file).toSorted(
      (a, b) => (a.end_line ?? a.start_line ?? 0) - (b.end_line ?? b.start_line ?? 0),
    ),
  );
}
