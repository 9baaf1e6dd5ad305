import type { Hunk } from '../../../reviewer/change/change.ts';
import { withoutLayout } from './layout.ts';
import { addedLines, removedLines } from './meaningful-hunks.ts';

/**
 * Comments that make any tool ignore a line. The shorter list in reviewer/review/find-by-rules.ts has those that our own
 * rules obey.
 */
const suppression =
  /(?:\/\/|\/\*|#|--|<!--|;)+\s*(?:(?:eslint|oxlint|biome|tslint|stylelint|pylint|rubocop|shellcheck|golangci|ast-grep|postil)[-: ]*(?:disable|ignore)|noqa\b|nosec\b|NOSONAR\b|nolint\b|type:\s*ignore|ts-ignore|ts-expect-error|@ts-ignore|@ts-expect-error|pragma:|gitleaks:allow|noinspection\b|phpcs:ignore|nosemgrep\b).*$/i;
const annotation = /^\s*@SuppressWarnings\b.*$|^\s*#\[allow\(.*\)\]\s*$/;

/** The suppression comment, if adding it is all that these hunks do; undefined otherwise. */
export function suppressionIn(hunks: readonly Hunk[], path: string): string | undefined {
  const added = hunks.flatMap(addedLines);
  const comment = added.find((line) => suppression.test(line) || annotation.test(line));
  if (comment === undefined) return undefined;
  const rest = added.map((line) => line.replace(suppression, '').replace(annotation, ''));
  const isAll = withoutLayout(rest, path) === withoutLayout(hunks.flatMap(removedLines), path);
  return isAll ? comment.trim() : undefined;
}
