import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Version } from '../../src/capabilities/findings/observing/observe-code.ts';
import { removeFolder } from '../remove-folder.ts';
import type { Files, History } from './history.ts';

/** The versions of a stored history. */
export interface StoredHistory {
  readonly posted: Version;
  readonly pushes: readonly Version[];
}

/** Creates a repository with all versions of many histories, using a single Git process. */
export async function storeHistories(
  histories: readonly History[],
): Promise<{ folder: string; stored: StoredHistory[]; remove(): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'postil-histories-'));
  await promisify(execFile)('git', ['init', '--quiet', '--bare', folder]);
  const input: string[] = [];
  let marks = 0;
  const commit = (files: Files, parent: number | null): number => {
    marks += 1;
    const entries = Object.entries(files).map(([at, lines]) => {
      const text = lines.map((line) => `${line}\n`).join('');
      return `M 100644 inline ${JSON.stringify(at)}\ndata ${Buffer.byteLength(text)}\n${text}\n`;
    });
    const from = parent === null ? '' : `from :${parent}\n`;
    input.push(
      `commit refs/heads/m${marks}\nmark :${marks}\ncommitter a <a@b.test> ${1_700_000_000 + marks} +0000\ndata 1\nx\n${from}deleteall\n${entries.join('')}\n`,
    );
    return marks;
  };
  const planned = histories.map((history) => {
    const base = commit(history.base, null);
    const posted = commit(history.posted, base);
    const movedBase = history.movedBase === null ? base : commit(history.movedBase, base);
    let last = posted;
    const pushes = history.pushes.map((files, index) => {
      const isLast = index === history.pushes.length - 1;
      const mergeBase = isLast ? movedBase : base;
      last = commit(files, history.isRewritten ? mergeBase : last);
      return { revision: last, mergeBase };
    });
    return { posted: { revision: posted, mergeBase: base }, pushes };
  });
  const marksFile = path.join(folder, 'marks');
  const child = spawn('git', ['fast-import', '--quiet', `--export-marks=${marksFile}`], {
    cwd: folder,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  for (const part of input) if (!child.stdin.write(part)) await once(child.stdin, 'drain');
  child.stdin.end();
  await once(child, 'close');
  const { stdout } = await promisify(execFile)('cat', [marksFile], { maxBuffer: 1 << 26 });
  const ids = new Map(
    [...stdout.matchAll(/^:(\d+) ([0-9a-f]+)$/gm)].map(([, mark, id]) => [Number(mark), id!]),
  );
  const version = ({ revision, mergeBase }: { revision: number; mergeBase: number }): Version => ({
    revision: ids.get(revision)!,
    mergeBase: ids.get(mergeBase)!,
  });
  return {
    folder,
    stored: planned.map(({ posted, pushes }) => ({ posted: version(posted), pushes: pushes.map(version) })),
    remove: () => removeFolder(folder),
  };
}
