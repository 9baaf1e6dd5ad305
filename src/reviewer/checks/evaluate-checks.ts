import { type CheckSettings, defaultMode } from '../configuration/checks-shape.ts';
import type { CheckVerdict } from '../review-report.ts';
import { checkCommits, checkSize, checkTogether } from './change-checks.ts';
import {
  type CheckFacts,
  inconclusive,
  type Outcome,
  type PullRequestFacts,
  skipped,
} from './check-facts.ts';
import type { CheckQuestion } from './check-question.ts';
import { checkCoverage } from './coverage-check.ts';
import { checkFindings } from './findings-check.ts';
import { checkOwners } from './owners-check.ts';
import { checkDescription, checkLinkedIssue, checkTitle } from './pull-request-checks.ts';

type Mode = CheckVerdict['mode'] | 'off' | undefined;
type NotOff<Asked> = Exclude<Asked, { readonly mode: 'off' }> & { readonly mode?: CheckVerdict['mode'] };

function isWanted<Asked extends { readonly mode?: Mode }>(asked: Asked): asked is Asked & NotOff<Asked> {
  return asked.mode !== 'off';
}

const worstFirst = ['failed', 'inconclusive', 'passed', 'skipped'] as const;

/** The names of all checks that any settings turn on. */
export function namesOfChecks(sources: readonly CheckSettings[]): string[] {
  const asked = sources.flatMap(({ together = [], ask = [], ...builtIn }) => [
    ...Object.entries(builtIn).map(([name, settings]) => ({ name, mode: settings?.mode })),
    ...together,
    ...ask,
  ]);
  return [...new Set(asked.filter(isWanted).map(({ name }) => name))];
}

/** The questions for a model, without duplicates. */
export function questionsOf(sources: readonly CheckSettings[]): CheckQuestion[] {
  const asked = sources.flatMap(({ ask = [] }) => ask.filter(isWanted));
  const distinct = new Map(
    asked.map(({ name, instructions }) => [JSON.stringify([name, instructions]), { name, instructions }]),
  );
  return [...distinct.values()];
}

/** Evaluates several settings. Checks with the same name are merged: the worst verdict, and the strictest mode. */
export function evaluateAll(sources: readonly CheckSettings[], facts: CheckFacts): CheckVerdict[] {
  const joined = new Map<string, CheckVerdict>();
  for (const check of sources.flatMap((settings) => evaluateChecks(settings, facts))) {
    const known = joined.get(check.name) ?? check;
    const worst = worstFirst.indexOf(check.verdict) < worstFirst.indexOf(known.verdict) ? check : known;
    const mode = [known, check].some((each) => each.mode === 'error') ? 'error' : 'warning';
    joined.set(check.name, { ...worst, mode });
  }
  return [...joined.values()];
}

/** Evaluates the checks of one settings object, in the order of the documentation. */
export function evaluateChecks(settings: CheckSettings, facts: CheckFacts): CheckVerdict[] {
  const verdicts: CheckVerdict[] = [];
  function add<Asked extends { readonly mode?: Mode }>(
    name: string,
    asked: Asked | undefined,
    evaluate: (wanted: NotOff<Asked>) => Outcome,
  ): void {
    if (asked !== undefined && isWanted(asked))
      verdicts.push({ name, mode: asked.mode ?? defaultMode, ...evaluate(asked) });
  }
  const ofPullRequest = (what: string, evaluate: (pull: PullRequestFacts) => Outcome) =>
    facts.pullRequest === null ? skipped(`Only a pull request has ${what}.`) : evaluate(facts.pullRequest);
  const ofChange = (evaluate: () => Outcome) =>
    facts.unread === null ? evaluate() : inconclusive(`The change could not be read: ${facts.unread}.`);

  add('title', settings.title, (title) => ofPullRequest('a title', (pull) => checkTitle(title, pull)));
  add('description', settings.description, (description) =>
    ofPullRequest('a description', (pull) => checkDescription(description, pull)),
  );
  add('linked_issue', settings.linked_issue, (linked) =>
    ofPullRequest('linked issues', (pull) => checkLinkedIssue(linked, pull)),
  );
  add('size', settings.size, (size) => ofChange(() => checkSize(size, facts)));
  add('commits', settings.commits, (commits) => ofChange(() => checkCommits(commits, facts)));
  for (const each of settings.together ?? [])
    add(each.name, each, (together) => ofChange(() => checkTogether(together, facts)));
  add('owners', settings.owners, (owners) =>
    ofPullRequest('approvals', (pull) => ofChange(() => checkOwners(owners, facts, pull))),
  );
  add('coverage', settings.coverage, (coverage) => ofChange(() => checkCoverage(coverage, facts)));
  add('findings', settings.findings, (findings) => checkFindings(findings, facts));
  for (const each of settings.ask ?? [])
    add(each.name, each, (question) => ofChange(() => facts.answerTo(question)));
  return verdicts;
}
