import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RunPart } from '../../reviewer/process/part.ts';
import { partAt } from '../../reviewer/process/part.ts';
import { PartEnded } from '../../reviewer/process/part-failure.ts';
import { CommandError, usageExitCode } from '../command-error.ts';
import { readNamedFile } from './read-named-file.ts';

const readPart = partAt<typeof import('../../reviewer/analyzers/read-log-part.ts')>(
  '../../reviewer/analyzers/read-log-part',
  import.meta.url,
);

/** The server's limit. */
const maxMebibytes = 20;

/** Parses the SARIF logs of the command line, and passes the results to `work`; they are deleted when that ends. */
export async function withSarifLogs<Result>(
  { folder, sarif = [] }: { readonly folder: string; readonly sarif?: readonly string[] },
  run: RunPart,
  work: (logs: readonly string[]) => Promise<Result>,
): Promise<Result> {
  if (sarif.length === 0) return work([]);
  const place = await mkdtemp(path.join(tmpdir(), 'postil-sarif-'));
  try {
    const logs: string[] = [];
    for (const [index, named] of sarif.entries()) {
      const own = await mkdtemp(path.join(place, `${index}-`));
      logs.push(...(await readLog(folder, named, own, run)));
    }
    return await work(logs);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

async function readLog(folder: string, named: string, own: string, run: RunPart): Promise<string[]> {
  const file = path.join(own, 'sent.sarif');
  await writeFile(file, await readNamedFile(folder, named, maxMebibytes));
  const read = await run(readPart, { file, folder: own }).catch((error: unknown) => {
    if (error instanceof PartEnded) return { fault: error.message };
    throw error;
  });
  if ('fault' in read) throw new CommandError(`${named} is not a SARIF log: ${read.fault}`, usageExitCode);
  return read.logs.map((log) => log.file);
}
