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

const worstFirst = ['failed', 'inconclusive', 'passed', 'skipped'] as const;

/** The names of the checks that somebody asks for. */
export function namesOfChecks(voices: readonly CheckSettings[]): string[] {
  const asked = voices.flatMap(({ together = [], ask = [], ...builtIn }) => [
    ...Object.entries(builtIn).map(([name, settings]) => ({ name, mode: settings?.mode })),
    ...together,
    ...ask,
  ]);
  return [...new Set(asked.filter(({ mode }) => mode !== 'off').map(({ name }) => name))];
}

/** What models are asked, each question once. */
export function questionsOf(voices: readonly CheckSettings[]): CheckQuestion[] {
  const asked = voices.flatMap(({ ask = [] }) => ask.filter(({ mode }) => mode !== 'off'));
  const distinct = new Map(
    asked.map(({ name, instructions }) => [JSON.stringify([name, instructions]), { name, instructions }]),
  );
  return [...distinct.values()];
}

/** What all voices say together: where several ask for a check of one name, all of them hold, as strictly as any of them. */
export function evaluateAll(voices: readonly CheckSettings[], facts: CheckFacts): CheckVerdict[] {
  const joined = new Map<string, CheckVerdict>();
  for (const check of voices.flatMap((settings) => evaluateChecks(settings, facts))) {
    const known = joined.get(check.name) ?? check;
    const worst = worstFirst.indexOf(check.verdict) < worstFirst.indexOf(known.verdict) ? check : known;
    const mode = [known, check].some((each) => each.mode === 'error') ? 'error' : 'warning';
    joined.set(check.name, { ...worst, mode });
  }
  return [...joined.values()];
}

/** Evaluates what somebody asked for, in the order of the documentation. */
export function evaluateChecks(settings: CheckSettings, facts: CheckFacts): CheckVerdict[] {
  const verdicts: CheckVerdict[] = [];
  const add = (name: string, asked: { readonly mode?: Mode } | undefined, evaluate: () => Outcome) => {
    const mode = asked?.mode ?? defaultMode;
    if (asked !== undefined && mode !== 'off') verdicts.push({ name, mode, ...evaluate() });
  };
  const ofPullRequest = (what: string, evaluate: (pull: PullRequestFacts) => Outcome) => () =>
    facts.pullRequest === null ? skipped(`Only a pull request has ${what}.`) : evaluate(facts.pullRequest);
  const ofChange = (evaluate: () => Outcome) => () =>
    facts.unread === null ? evaluate() : inconclusive(`The change could not be read: ${facts.unread}.`);
  const { title, description, linked_issue, size, commits, together, owners, coverage, findings, ask } =
    settings;
  add(
    'title',
    title,
    ofPullRequest('a title', (pull) => checkTitle(title!, pull)),
  );
  add(
    'description',
    description,
    ofPullRequest('a description', (pull) => checkDescription(description!, pull)),
  );
  add(
    'linked_issue',
    linked_issue,
    ofPullRequest('linked issues', (pull) => checkLinkedIssue(linked_issue!, pull)),
  );
  add(
    'size',
    size,
    ofChange(() => checkSize(size!, facts)),
  );
  add(
    'commits',
    commits,
    ofChange(() => checkCommits(commits!, facts)),
  );
  for (const each of together ?? [])
    add(
      each.name,
      each,
      ofChange(() => checkTogether(each, facts)),
    );
  add(
    'owners',
    owners,
    ofPullRequest('approvals', (pull) => ofChange(() => checkOwners(owners!, facts, pull))()),
  );
  add(
    'coverage',
    coverage,
    ofChange(() => checkCoverage(coverage!, facts)),
  );
  add('findings', findings, () => checkFindings(findings!, facts));
  for (const each of ask ?? [])
    add(
      each.name,
      each,
      ofChange(() => facts.answerTo(each)),
    );
  return verdicts;
}
