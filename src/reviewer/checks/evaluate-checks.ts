import { type CheckSettings, defaultMode } from '../configuration/checks-shape.ts';
import type { CheckVerdict } from '../report/report.ts';
import { checkCommits, checkSize, checkTogether } from './change-checks.ts';
import { type CheckFacts, type Outcome, skipped } from './check-facts.ts';
import { checkCoverage } from './coverage-check.ts';
import { checkFindings } from './findings-check.ts';

type Mode = CheckVerdict['mode'] | 'off' | undefined;

const needsPullRequest = (what: string) => skipped(`Only a pull request has ${what}.`);

/** Evaluates what somebody asked for, in the order of the documentation. */
export function evaluateChecks(settings: CheckSettings, facts: CheckFacts): CheckVerdict[] {
  const verdicts: CheckVerdict[] = [];
  const add = (name: string, asked: { readonly mode?: Mode } | undefined, evaluate: () => Outcome) => {
    const mode = asked?.mode ?? defaultMode;
    if (asked !== undefined && mode !== 'off') verdicts.push({ name, mode, ...evaluate() });
  };
  const { title, description, linked_issue, size, commits, together, owners, coverage, findings, ask } =
    settings;
  add('title', title, () => needsPullRequest('a title'));
  add('description', description, () => needsPullRequest('a description'));
  add('linked_issue', linked_issue, () => needsPullRequest('linked issues'));
  add('size', size, () => checkSize(size!, facts));
  add('commits', commits, () => checkCommits(commits!, facts));
  for (const each of together ?? []) add(each.name, each, () => checkTogether(each, facts));
  add('owners', owners, () => needsPullRequest('approvals'));
  add('coverage', coverage, () => checkCoverage(coverage!, facts));
  add('findings', findings, () => checkFindings(findings!, facts));
  for (const each of ask ?? [])
    add(each.name, each, () => skipped('Questions are asked about pull requests only.'));
  return verdicts;
}
