import { Button, Drawer, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Empty, QueryState } from '../../../components/query-state.tsx';
import { api } from '../../../lib/api.ts';
import { formatNumber } from '../../../lib/format.ts';
import { useFilters } from '../../../lib/search.ts';
import type { View } from '../../../lib/session.ts';
import { FindingList, quietIn } from '../../reviews/finding-list.tsx';
import type { Finding, Run } from '../../reviews/wire.ts';
import { nowhere, type Place, placeIn } from '../place.ts';
import { type ChangedFile, type ChangedFiles, missingCode } from '../wire.ts';
import './diff.css';
import { DiffList, type DiffListHandle } from './diff-list.tsx';
import { type DiffRow, indexOfPlace, isWritten, rowsOfFile, viewOf } from './diff-rows.ts';
import { FileList } from './file-list.tsx';
import { PlacePeek } from './place-peek.tsx';
import type { DiffContext } from './row-view.tsx';
import { lineKey, usePatches } from './use-patches.ts';
import { useUnfolded } from './use-unfolded.ts';

/** The diff that a review compared, with its findings at their lines. */
export function DiffTab({ run, view, mayReadCode }: { run: Run; view: View; mayReadCode: boolean }) {
  const query = useQuery({
    queryKey: ['files', view.id, run.id],
    queryFn: () => api<ChangedFiles>('GET', `reviews/${run.id}/files`, { scope: view }),
    enabled: mayReadCode,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (!mayReadCode)
    return (
      <WithoutCode run={run} title="You may not see the code of this repository">
        It is shown to those who can read the repository at its host and whose role has “repository
        management: read”.
      </WithoutCode>
    );
  return (
    <QueryState query={query}>
      {(found) =>
        found.missing === null ? (
          <Diff key={run.id} found={found} run={run} view={view} />
        ) : (
          <WithoutCode run={run} title="The code is not here">
            {missingCode[found.missing]}
          </WithoutCode>
        )
      }
    </QueryState>
  );
}

/** Findings alone, where there is no code to put them into. */
function WithoutCode({ run, title, children }: { run: Run; title: string; children: string }) {
  return (
    <Stack gap="md">
      <Empty title={title}>{children}</Empty>
      <FindingList run={run} />
    </Stack>
  );
}

const noFindings: readonly Finding[] = [];

/** What somebody wants to see: a line, a finding, or a file. */
interface Target {
  readonly path: string;
  readonly line: number | null;
  readonly findingId?: string;
}

function Diff({ found, run, view }: { found: ChangedFiles; run: Run; view: View }) {
  const { files, total } = found;
  const [{ layout, at, file: chosenFile, finding: chosen }, change] = useFilters();
  const isWide = useMediaQuery('(min-width: 900px)') ?? false;
  const isSplit = layout === 'split' && isWide;
  const findings = useMemo(() => Map.groupBy(run.findings, ({ path }) => path), [run.findings]);
  const findingsOf = useCallback(
    (file: ChangedFile) => findings.get(file.shown_path) ?? noFindings,
    [findings],
  );
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(
    () =>
      new Set(
        files.filter((file) => isWritten(file) && findingsOf(file).length === 0).map(({ path }) => path),
      ),
  );
  const [seen, setSeen] = useState<readonly ChangedFile[]>([]);
  const [wantedFile, setWantedFile] = useState<ChangedFile>();
  const wanted = useMemo(
    () =>
      [...(wantedFile === undefined ? [] : [wantedFile]), ...seen].filter(
        ({ path, missing }) => !collapsed.has(path) && (missing === null || missing === 'too_large'),
      ),
    [seen, wantedFile, collapsed],
  );
  const { patches, colours, retry } = usePatches(run.id, view, wanted);
  const { unfolded, unfold } = useUnfolded(run.id, view);
  const rows = useMemo(
    () =>
      files.flatMap((file) =>
        rowsOfFile(
          viewOf(file, {
            patch: patches.get(file.path),
            findings: findingsOf(file),
            isCollapsed: collapsed.has(file.path),
            isSplit,
            ...(unfolded.has(file.path) && { unfolded: unfolded.get(file.path)! }),
          }),
        ),
      ),
    [files, patches, findingsOf, collapsed, isSplit, unfolded],
  );
  const list = useRef<DiffListHandle>(null);
  const place = placeIn(at);
  const [peek, setPeek] = useState<Place | null>(null);
  const [filesOpen, { open, close }] = useDisclosure(false);

  /** What somebody wants to see, until it is there. */
  const [target, setTarget] = useState<Target | null>(() => initialTarget(run, place, chosenFile, chosen));
  useEffect(() => {
    if (target === null) return;
    const file = files.find(({ shown_path }) => shown_path === target.path);
    if (file === undefined) {
      if (target.line !== null) setPeek({ path: target.path, line: target.line });
      return setTarget(null);
    }
    if (collapsed.has(file.path)) return setCollapsed(without(collapsed, file.path));
    setWantedFile(file);
    const isReady = patches.has(file.path) || (file.missing !== null && file.missing !== 'too_large');
    if (!isReady && (target.line !== null || target.findingId !== undefined)) return;
    const index = indexOfTarget(rows, file, target);
    if (index === -1 && target.line !== null) setPeek({ path: target.path, line: target.line });
    if (index !== -1) list.current?.show(index);
    setTarget(null);
  }, [target, files, rows, patches, collapsed]);

  const ordered = useMemo(() => orderFindings(files, findingsOf), [files, findingsOf]);
  const position = ordered.findIndex(({ finding_id }) => finding_id === chosen);
  const choose = (step: number) => {
    const next = ordered[(position + step + ordered.length) % ordered.length]!;
    change({ ...nowhere, finding: next.finding_id }, { replace: true, keepsScroll: true });
    setTarget({ path: next.path, line: null, findingId: next.finding_id });
  };
  const quiet = useMemo(() => quietIn(run), [run]);
  const context: DiffContext = {
    run,
    quiet,
    coloursOf: (file) => (line) => colours.get(file.path)?.get(lineKey(line)),
    linesAt: ({ file, finding }) => linesOf(rows, file, finding),
    isHere: (row) => place !== null && indexOfPlace([row], place.path, place.line) === 0,
    toggle: (file) => setCollapsed(toggled(collapsed, file.path)),
    unfold: (file, fold) => unfold.mutate({ file, fold }),
    retry: ({ path }) => retry(path),
    jump(path, line) {
      change({ ...nowhere, at: `${path}:${line}` }, { keepsScroll: true });
      setTarget({ path, line });
    },
  };
  const fileList = (height: number | string, onChosen?: () => void) => (
    <FileList
      files={files}
      total={total}
      findingsIn={(file) => findingsOf(file).length}
      height={height}
      onChoose={(file) => {
        onChosen?.();
        setTarget({ path: file.shown_path, line: null });
      }}
    />
  );
  return (
    <>
      <Group mb="sm" gap="xs">
        <Button variant="default" className="diff-files-button" onClick={open}>
          Files ({formatNumber(total)})
        </Button>
        {ordered.length > 0 && (
          <Group gap="xxs">
            <Button variant="default" onClick={() => choose(position === -1 ? 0 : -1)}>
              Previous finding
            </Button>
            <Button variant="default" onClick={() => choose(1)}>
              Next finding
            </Button>
            <Text size="sm" role="status">
              {position === -1
                ? `${formatNumber(ordered.length)} ${ordered.length === 1 ? 'finding' : 'findings'}`
                : `${formatNumber(position + 1)} of ${formatNumber(ordered.length)}`}
            </Text>
          </Group>
        )}
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
            <Empty title="Nothing changed">The two commits have the same files.</Empty>
          ) : (
            <DiffList rows={rows} context={context} handle={list} onSight={setSeen} />
          )}
        </section>
      </div>
      <Drawer opened={filesOpen} onClose={close} title="Files">
        {fileList('calc(100vh - 200px)', close)}
      </Drawer>
      <PlacePeek place={peek} runId={run.id} view={view} onClose={() => setPeek(null)} />
    </>
  );
}

function initialTarget(
  run: Run,
  place: Place | null,
  file: string | undefined,
  chosen: string | undefined,
): Target | null {
  const finding = run.findings.find(({ finding_id }) => finding_id === chosen);
  if (finding !== undefined) return { path: finding.path, line: null, findingId: finding.finding_id };
  return file === undefined ? place : { path: file, line: null };
}

function indexOfTarget(rows: readonly DiffRow[], file: ChangedFile, { line, findingId }: Target): number {
  if (findingId !== undefined)
    return rows.findIndex((row) => row.kind === 'finding' && row.finding.finding_id === findingId);
  if (line !== null) return indexOfPlace(rows, file.shown_path, line);
  return rows.findIndex((row) => row.kind === 'file' && row.file === file);
}

/** Findings in the order in which the diff shows them. */
function orderFindings(files: readonly ChangedFile[], findingsOf: (file: ChangedFile) => readonly Finding[]) {
  return files.flatMap((file) =>
    findingsOf(file).toSorted(
      (a, b) => (a.end_line ?? a.start_line ?? 0) - (b.end_line ?? b.start_line ?? 0),
    ),
  );
}

/** The lines that a suggestion would replace, if all of them are shown. */
function linesOf(rows: readonly DiffRow[], file: ChangedFile, finding: Finding): string[] | undefined {
  const { side, start_line: start, end_line: end } = finding;
  if (finding.suggestion === null || side !== 'new' || start === null) return undefined;
  const lines = rows.flatMap((row) => {
    if (row.file !== file) return [];
    const line = row.kind === 'line' ? row.line : row.kind === 'pair' ? row.right : null;
    const number = line?.newLine ?? null;
    return number !== null && number >= start && number <= (end ?? start) ? [line!.text] : [];
  });
  return lines.length === (end ?? start) - start + 1 ? lines : undefined;
}

const without = (names: ReadonlySet<string>, name: string) => {
  const rest = new Set(names);
  rest.delete(name);
  return rest;
};
const toggled = (names: ReadonlySet<string>, name: string) =>
  names.has(name) ? without(names, name) : new Set(names).add(name);
