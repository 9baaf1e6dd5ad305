import { shownPath } from '../../../redaction/shown-path.ts';
import { type Finding, maxRelated, type RelatedPlace } from '../../../reviewer/finding.ts';
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
  /** The address of a line of the head at the host; null where it has none. */
  lineUrl(path: string, line: number): string | null;
}

/** `**Major**, correctness` */
export function gradeOf({ severity, category }: Finding): string {
  return `**${severity[0]!.toUpperCase()}${severity.slice(1)}**, ${categoryNames[category]}`;
}

/** Title and text of a finding, without its place, and with at most this many related places. */
export function sayFinding(finding: Finding, context: TextContext, maxPlaces: number): string {
  const title = safeLine(finding.title, context.repositoryUrl);
  const body = safeMarkdown(finding.body, context.repositoryUrl);
  return [
    `${gradeOf(finding)}: ${title}`,
    ...(body === '' || body === title ? [] : [body]),
    ...placesOf(finding, context, maxPlaces),
  ].join('\n\n');
}

/** Longer URLs are not linked, so that a comment fits even if every place has one. */
const maxUrlLength = 500;

function placesOf({ related }: Finding, context: TextContext, maxPlaces: number): string[] {
  if (related.length === 0) return [];
  const lines = related.slice(0, maxPlaces).map((place) => {
    const text = safeLine(place.text, context.repositoryUrl);
    return `- ${linkTo(place, context)}${text === '' ? '' : `: ${text}`}`;
  });
  const rest = related.length - lines.length;
  return [['Related:', '', ...lines, ...(rest > 0 ? [`- and ${rest} more`] : [])].join('\n')];
}

/** `path:line`, as a link unless the URL would reveal a credential that the path is redacted for. */
function linkTo({ path, startLine }: RelatedPlace, { lineUrl }: TextContext): string {
  const name = asCode(`${path}:${startLine}`);
  const url = shownPath(path) === path ? lineUrl(path, startLine) : null;
  return url === null || url.length > maxUrlLength ? name : `[${name}](${url})`;
}

/** The comment for the lines of a finding. */
export function commentText(finding: Finding, context: TextContext, suggestionBlock: string | null): string {
  return [
    writeMarker({ kind: 'finding', findingId: finding.identity, runId: context.runId }),
    sayFinding(finding, context, maxRelated),
    ...(suggestionBlock === null ? [] : [`Suggested change:\n\n${suggestionBlock}`]),
    `<sub>${sourceOf(finding)}. Reply “won't fix” if it should not be raised again.</sub>`,
  ].join('\n\n');
}

function sourceOf({ rules, cwe, learningIds }: Finding): string {
  const by = rules.length === 0 ? 'a model' : rules.map(asCode).join(', ');
  const found = `Found by ${by}${cwe === null ? '' : ` (${cwe})`}`;
  return learningIds.length === 0 ? found : `${found}, with a Learning of this organization`;
}

/** The reply in a thread whose finding is gone. */
export function goneText(findingId: string, runId: string, headSha: string): string {
  const marker = writeMarker({ kind: 'gone', findingId, runId });
  return `${marker}\n\nNo longer found at ${asCode(headSha.slice(0, 10))}.`;
}

/** The text above the comments of a review; `isAll` says that the summary has no further findings. */
export function reviewText(count: number, isAll: boolean, { runId }: TextContext): string {
  const found = count === 1 ? '1 new finding' : `${count} new findings`;
  const rest = isAll ? '' : '; more are in the summary of this pull request';
  return `${writeMarker({ kind: 'review', runId })}\n\n${found}${rest}.`;
}
