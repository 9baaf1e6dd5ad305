import { type ChangeSource, filesByPath } from '../../change/change-source.ts';
import type { Workplace } from '../../process/part.ts';
import { openTree } from '../../repository/tree-view.ts';
import type { AcceptedAnswer, AnswerToAccept } from '../model-reviewer.ts';
import { acceptFindings } from './accept-findings.ts';
import { readAnswer } from './read-answer.ts';

/** Parses the answer of a model about files of the change; keeps only what was checked and cleaned. */
export async function work(
  {
    change: source,
    text,
    isWhole,
    paths,
    learnings,
    repositoryUrl,
  }: AnswerToAccept & {
    readonly change: ChangeSource;
  },
  { openChange }: Pick<Workplace, 'openChange'>,
): Promise<AcceptedAnswer> {
  const known = filesByPath(await openChange(source));
  const read = await readAnswer(text, isWhole);
  const files = new Map(paths.map((path) => [path, known.get(path)!]));
  const tree = source.kind === 'commits' ? openTree(source.repository, source.head) : undefined;
  const { findings, misquoted, strays } = await acceptFindings(read.findings, {
    files,
    learnings: new Map(learnings),
    repositoryUrl,
    readText: async (path) => (tree === undefined ? known.get(path)?.newText() : tree.read(path)),
  }).finally(() => tree?.close());
  return {
    findings,
    misquoted: [...misquoted],
    strays,
    isFaulty: read.isFaulty,
    hasAnswered: read.findings.length > 0 || !read.isFaulty,
  };
}
