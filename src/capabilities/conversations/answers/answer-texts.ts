import { asCode } from '../../reviews/publishing/safe-text.ts';

/** The place of a committed suggestion. */
export interface FixedPlace {
  readonly path: string;
  readonly line: number | null;
  readonly rule: string;
}

/** The account's own texts. They never mention anybody, contain links or repeat what somebody wrote. */
export const answerTexts = {
  stranger: 'Only members of this organization can talk to me.',
  noSeat: 'You have no seat, so I cannot do that for you. An admin of your organization can assign you one.',
  noModel:
    'I do not know that command, and I cannot answer questions because no model is set up here. Mention me and say `help` to see what I can do.',
  modelOff:
    'I do not know that command, and I cannot answer questions because the model is turned off for this repository. Mention me and say `help` to see what I can do.',
  lastAnswer: 'This is my last answer here for an hour.',
  reviewing: (head: string) => `I am reviewing ${asCode(head.slice(0, 10))}.`,
  reviewingFull: (head: string) => `I am reviewing ${asCode(head.slice(0, 10))} from the beginning.`,
  ended: (state: string) => `This pull request is ${state}, so there is nothing to review.`,
  paused:
    'Automatic reviews of this pull request are paused. Say `resume` to turn them on again; `review` still works.',
  pausedAlready: 'Automatic reviews of this pull request are paused already.',
  resumed: 'Automatic reviews of this pull request are on again.',
  resumedReviewing: (head: string) =>
    `Automatic reviews of this pull request are on again. I am reviewing ${asCode(head.slice(0, 10))}.`,
  notPaused: 'Automatic reviews of this pull request are not paused.',
  resolved: 'The threads that I started are resolved.',
  resolvedOne: 'This thread is resolved.',
  nothingToResolve: 'I have started no threads here.',
  notResolved: 'This host does not let me resolve threads. You can resolve them by hand.',
  foreignThread: 'Somebody else started this thread, so I do not resolve it.',
  ignored: 'I dismissed this finding and will not raise it again in this pull request.',
  fixed: (commit: string, findings: readonly FixedPlace[]) =>
    [
      `I committed ${findings.length === 1 ? '1 suggestion' : `${findings.length} suggestions`} as ${asCode(commit.slice(0, 10))}:`,
      ...listed(findings),
    ].join('\n'),
  leftOver: (count: number) =>
    count === 1
      ? '1 other could not be applied safely and is left to you.'
      : `${count} others could not be applied safely and are left to you.`,
  notFixed: (reason: string) => `I committed nothing. ${reason}`,
  answeredBefore: 'I have answered this before.',
  overridden: (check: string, head: string) =>
    `I overrode ${asCode(check)} for ${asCode(head.slice(0, 10))}. It counts as passed until the next commit.`,
  overriddenAlready: (check: string, by: string) =>
    `${asCode(check)} is overridden for this version already, by ${asCode(by)}.`,
  notOverridden: (reason: string) => `I overrode nothing. ${reason}`,
  remembered:
    'I saved that as a Learning. When it is approved depends on the approval delay of this repository.',
  rememberWhat: 'Tell me what to remember, after `remember`.',
  notRemembered: (reason: string) => `I cannot remember that: the text ${reason}.`,
  endedLearning: 'This pull request was closed without a merge, so I keep nothing that was said in it.',
  wontFix: 'I will not raise this again in this pull request, and have proposed it as a Learning.',
  wontFixOnly: 'I will not raise this again in this pull request.',
  commitsGone: 'The commits of this pull request are gone from the host.',
  changeGone: 'The commits of this pull request are gone from the host, so I cannot answer that.',
  modelFailed: 'I could not get an answer from the model. Please ask again later.',
  budgetSpent: 'The budget for the model is used up, so I cannot answer that now.',
} as const;

const maxListed = 30;

function listed(findings: readonly FixedPlace[]): string[] {
  const lines = findings
    .slice(0, maxListed)
    .map(({ path, line, rule }) => `- ${asCode(line === null ? path : `${path}:${line}`)} ${asCode(rule)}`);
  const rest = findings.length - lines.length;
  return rest > 0 ? [...lines, `- and ${rest} more`] : lines;
}

/** The commands and what they do. */
export function helpText(hasModel: boolean): string {
  return [
    'Mention me at the beginning of a line, followed by one of these:',
    [
      '- `review`: review what is new since the last review',
      '- `full review`: review everything from the beginning',
      '- `pause`, `resume`: stop or restart automatic reviews of this pull request',
      '- `resolve`: resolve this thread, or all threads that I started',
      '- `ignore`: dismiss the finding of this thread; elsewhere the same as `pause`',
      '- `fix`: commit all safe suggestions of the open findings to this branch',
      '- `override`, the name of a check and a reason: let it count as passed until the next commit; for admins',
      '- `remember` and a sentence: keep it as a Learning for later reviews',
      '- `help`: this list',
    ].join('\n'),
    hasModel
      ? 'Anything else you ask me is answered by a model.'
      : 'No model is set up, so I cannot answer questions.',
  ].join('\n\n');
}
