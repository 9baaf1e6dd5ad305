import type { Finding } from '../../../reviewer/finding.ts';
import type { Category } from '../../../reviewer/finding-vocabulary.ts';
import { writeMarker } from './markers.ts';
import { asCode, safeLine, safeMarkdown } from './safe-text.ts';

const categoryNames: Readonly<Record<Category, string>> = {
  data_integrity_and_integration: 'data integrity',
  functional_correctness: 'correctness',
  maintainability_and_code_quality: 'maintainability',
  performance_and_scalability: 'performance',
  security_and_privacy: 'security',
  stability_and_availability: 'stability',
};

export interface TextContext {
  readonly runId: string;
  /** Where links may lead. */
  readonly repositoryUrl: string;
}

/** `**Major**, correctness` */
export function gradeOf({ severity, category }: Finding): string {
  return `**${severity[0]!.toUpperCase()}${severity.slice(1)}**, ${categoryNames[category]}`;
}

/** Title and text of a finding, without its place. */
export function sayFinding(finding: Finding, { repositoryUrl }: TextContext): string {
  const title = safeLine(finding.title, repositoryUrl);
  const body = safeMarkdown(finding.body, repositoryUrl);
  return [`${gradeOf(finding)}: ${title}`, ...(body === '' || body === title ? [] : [body])].join('\n\n');
}

/** The comment on the lines of a finding. */
export function commentText(finding: Finding, context: TextContext, suggestionBlock: string | null): string {
  return [
    writeMarker({ kind: 'finding', findingId: finding.identity, runId: context.runId }),
    sayFinding(finding, context),
    ...(suggestionBlock === null ? [] : [`Suggested change:\n\n${suggestionBlock}`]),
    `<sub>${sourceOf(finding)}. To have it not raised again, reply “won't fix”.</sub>`,
  ].join('\n\n');
}

function sourceOf({ source, learningIds }: Finding): string {
  const found = source.kind === 'rule' ? `Found by ${asCode(source.name)}` : 'Found by a model';
  return learningIds.length === 0 ? found : `${found}, with a Learning of this organization`;
}

/** The answer in a thread whose finding is gone. */
export function goneText(findingId: string, runId: string, headSha: string): string {
  const marker = writeMarker({ kind: 'gone', findingId, runId });
  return `${marker}\n\nNo longer found at ${asCode(headSha.slice(0, 10))}.`;
}

/** What stands above the comments of a review; `isAll` says that the summary has no findings besides. */
export function reviewText(count: number, isAll: boolean, { runId }: TextContext): string {
  const found = count === 1 ? '1 new finding' : `${count} new findings`;
  const rest = isAll ? '' : '; the summary of this pull request has the rest';
  return `${writeMarker({ kind: 'review', runId })}\n\n${found}${rest}.`;
}
