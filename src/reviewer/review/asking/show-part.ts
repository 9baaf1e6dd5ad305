import type { ChangedFile } from '../../change/change.ts';
import type { ChangeSource } from '../../change/change-source.ts';
import type { ShownForQuestions } from '../../checks/check-question.ts';
import type { ReviewConfiguration } from '../../configuration/review-configuration.ts';
import { showFile } from '../../model/showing/show-file.ts';
import type { Workplace } from '../../process/part.ts';
import { planReview } from '../plan.ts';
import { speaksToReviewer } from './orders.ts';

export interface ShowRequest {
  readonly change: ChangeSource;
  readonly configuration: ReviewConfiguration;
  readonly maxTokens: number;
  /** The names of the checks with questions. */
  readonly names: readonly string[];
}

const maxNamed = 20;

/** Shows the files of a change as far as they fit; filtered, generated and binary files are left out, as in reviews. */
export async function work(
  { change: source, configuration, maxTokens, names }: ShowRequest,
  { openChange }: Pick<Workplace, 'openChange'>,
): Promise<ShownForQuestions> {
  const change = await openChange(source);
  const { inScope, deleted, outOfScope } = planReview(change, configuration);
  const unread = outOfScope.filter(({ reason }) => reason === 'too_large' || reason === 'content_missing');
  const left = unread.map(({ path }) => path);
  const texts = deleted.length === 0 ? [] : [`deleted files:\n${deleted.map(({ path }) => path).join('\n')}`];
  let room = maxTokens;
  for (const file of inScope) {
    const { parts, isWhole } = room <= 0 ? { parts: [], isWhole: false } : await showFile(file, room);
    const fitting = parts.filter(({ tokens }) => {
      const fits = tokens <= room;
      if (fits) room -= tokens;
      return fits;
    });
    texts.push(...fitting.map(({ text }) => text));
    if (!isWhole || fitting.length < parts.length) left.push(file.path);
  }
  const said = inScope.map((file) => ({ path: file.path, text: addedText(file) }));
  const ordersOf = (name: string) =>
    said.filter(({ path, text }) => speaksToReviewer(`${path}\n${text}`, name)).map(({ path }) => path);
  return {
    text: texts.join('\n\n'),
    left: left.slice(0, maxNamed),
    orders: Object.fromEntries(names.map((name) => [name, ordersOf(name).slice(0, maxNamed)])),
    isEmpty: texts.length === 0 && left.length === 0,
  };
}

function addedText({ hunks }: ChangedFile): string {
  return hunks
    .flatMap(({ lines }) => lines.filter(({ kind }) => kind === 'added').map(({ text }) => text))
    .join('\n');
}
