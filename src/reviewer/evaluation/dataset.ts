import { readdir, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { faultsOf } from '../../lib/wire/faults.ts';
import { must } from '../../lib/wire/own-checks.ts';

const line = z.int().min(1).nullable();
const commit = z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/, 'must be the id of a commit');

/** A place where a review should find something. Without lines, any finding in the file counts. */
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

/** A change, and the findings that a review of it should have. */
export interface EvaluationCase {
  /** The folder of the case, relative to the data set. */
  readonly name: string;
  /** The source of both commits. */
  readonly from:
    | { readonly kind: 'bundle'; readonly file: string }
    | { readonly kind: 'repository'; readonly folder: string };
  readonly base: string;
  readonly head: string;
  readonly golden: readonly GoldenFinding[];
  /** All of `golden` are places of the same fault, so that finding one of them is enough. */
  readonly isOneOf: boolean;
  /** Scores are also reported separately per label. */
  readonly labels: CaseLabels;
}

export interface CaseLabels {
  /** How the case was made. */
  readonly kind?: string | undefined;
  readonly language?: string | undefined;
  /** The rule that should find it. */
  readonly rule?: string | undefined;
  /** Whether it can be found without a model. */
  readonly resolvable?: boolean | undefined;
}

/** A data set that cannot be used; the message names every faulty case. */
export class DatasetError extends Error {
  override readonly name = 'DatasetError';
}

/** Reads all cases in a folder: every folder below it with a case.json, sorted by name. */
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
  // An untrusted data set must not cause other files of this machine to be read.
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

/** Whether a place is inside the root, by its path and with links resolved. One that does not exist cannot be a link. */
async function isInside(root: string, place: string): Promise<boolean> {
  const isBelow = (folder: string, inner: string) => !path.relative(folder, inner).startsWith('..');
  if (!isBelow(path.resolve(root), place)) return false;
  const real = await realpath(place).catch(() => undefined);
  return real === undefined || isBelow(await realpath(root), real);
}
