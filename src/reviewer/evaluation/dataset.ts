import { readdir, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { faultsOf } from '../../lib/wire/faults.ts';
import { must } from '../../lib/wire/own-checks.ts';

const line = z.int().min(1).nullable();
const commit = z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/, 'must be the id of a commit');

/** A place where a review ought to find something. Without lines, anything in the file counts. */
const goldenFinding = z
  .looseObject({ path: z.string().min(1), start_line: line, end_line: line })
  .check(
    must(
      ({ start_line, end_line }) => (start_line === null) === (end_line === null),
      'needs both lines or none',
    ),
  )
  .check(must(({ start_line, end_line }) => (start_line ?? 0) <= (end_line ?? 0), 'ends before it starts'));

const label = z.string().min(1).max(100);

const caseFile = z
  .looseObject({
    bundle: z.string().min(1).optional(),
    repository: z.string().min(1).optional(),
    base: commit,
    head: commit,
    golden: z.array(goldenFinding).max(10_000),
    one_of: z.boolean().default(false),
    kind: label.optional(),
    language: label.optional(),
    rule: label.optional(),
    resolvable: z.boolean().optional(),
  })
  .check(
    must(
      ({ bundle, repository }) => (bundle === undefined) !== (repository === undefined),
      'needs a bundle or a repository, not both',
    ),
  );

export type GoldenFinding = Pick<z.output<typeof goldenFinding>, 'path' | 'start_line' | 'end_line'>;

/** One change with what a review ought to find in it. */
export interface EvaluationCase {
  /** The folder of the case, relative to the data set. */
  readonly name: string;
  /** What holds both commits. */
  readonly from:
    | { readonly kind: 'bundle'; readonly file: string }
    | { readonly kind: 'repository'; readonly folder: string };
  readonly base: string;
  readonly head: string;
  readonly golden: readonly GoldenFinding[];
  /** All of `golden` are places of one fault, so that one of them is enough. */
  readonly isOneOf: boolean;
  /** What figures are also given for, apart. */
  readonly labels: CaseLabels;
}

export interface CaseLabels {
  /** How the case was made. */
  readonly kind?: string | undefined;
  readonly language?: string | undefined;
  /** What ought to see it. */
  readonly rule?: string | undefined;
  /** Whether it can be seen without a model. */
  readonly resolvable?: boolean | undefined;
}

/** A data set that cannot be used; the message names every faulty case. */
export class DatasetError extends Error {
  override readonly name = 'DatasetError';
}

/** Reads a folder of cases: every folder below it with a case.json, in the order of their names. */
export async function readDataset(folder: string): Promise<EvaluationCase[]> {
  const entries = await readdir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    throw new DatasetError(`${folder} cannot be read (${error.code})`);
  });
  const names = entries.filter((entry) => path.basename(entry) === 'case.json').sort();
  if (names.length === 0) throw new DatasetError(`${folder} holds no case: no folder in it has a case.json`);
  const faults: string[] = [];
  const cases: EvaluationCase[] = [];
  for (const name of names) {
    const read = await readCase(folder, name);
    if ('faults' in read) faults.push(...read.faults.map((fault) => `${name}: ${fault}`));
    else cases.push(read);
  }
  if (faults.length > 0) throw new DatasetError(faults.slice(0, 20).join('\n'));
  return cases;
}

async function readCase(root: string, name: string): Promise<EvaluationCase | { faults: string[] }> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path.join(root, name), 'utf8'));
  } catch {
    return { faults: ['is not JSON'] };
  }
  const parsed = caseFile.safeParse(value);
  if (!parsed.success) return { faults: faultsOf(parsed.error) };
  const { bundle, repository, base, head, golden, one_of: isOneOf } = parsed.data;
  const { kind, language, rule, resolvable } = parsed.data;
  const named = bundle === undefined ? 'repository' : 'bundle';
  const place = path.resolve(path.dirname(path.join(root, name)), (bundle ?? repository)!);
  // A data set of somebody else must not read other files of this machine.
  if (!(await isInside(root, place))) return { faults: [`${named}: is outside of the data set`] };
  return {
    name: path.dirname(name),
    from: bundle === undefined ? { kind: 'repository', folder: place } : { kind: 'bundle', file: place },
    base,
    head,
    golden,
    isOneOf,
    labels: { kind, language, rule, resolvable },
  };
}

/** Neither by its name nor through links; what does not exist is nowhere else. */
async function isInside(root: string, place: string): Promise<boolean> {
  const isBelow = (folder: string, inner: string) => !path.relative(folder, inner).startsWith('..');
  if (!isBelow(path.resolve(root), place)) return false;
  const real = await realpath(place).catch(() => undefined);
  return real === undefined || isBelow(await realpath(root), real);
}
