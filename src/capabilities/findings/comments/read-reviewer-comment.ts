import type { Category, Severity } from '../../../reviewer/finding-vocabulary.ts';
import { readSuggestions } from './read-suggestions.ts';

/** The facts about a finding that the text of another reviewer's comment states. */
export interface ReviewerComment {
  readonly title: string;
  /** Null if the text does not say. */
  readonly severity: Severity | null;
  readonly category: Category | null;
  /** The replacement for the commented lines. */
  readonly suggestion: string | null;
}

/** Labels are at the beginning of a comment; the same words further down are prose. */
const headLength = 600;
const maxTitleLength = 200;
const maxTitleSearch = 4_000;

/**
 * How reviewers write severities. In this order, because one comment can carry several marks:
 * CodeRabbit `_⚠️ Potential issue_ | _🟠 Major_`, `_🧹 Nitpick_`; Cursor Bugbot `**High Severity**`; Gemini Code Assist
 * `![high](…)`, `![security-high](…)`; Codex and Greptile `P0`…`P3` badges; Qodo `Importance: 8`; Copilot `[nitpick]`;
 * Sourcery `**issue (bug_risk):**`, `**nitpick (typo):**`; Kodus `![critical](…)`; Conventional Comments `nit:`.
 */
const severities: readonly (readonly [RegExp, Severity])[] = [
  [/_?(?:🔴|🛑)\s*\**critical(?![a-z])/iu, 'critical'],
  [/_?🟠\s*\**(?:major|high)(?![a-z])/iu, 'major'],
  [/_?🟡\s*\**(?:minor|medium)(?![a-z])/iu, 'minor'],
  [/_?🔵\s*\**(?:trivial|low)(?![a-z])/iu, 'trivial'],
  [/_?⚪\s*\**(?:info|informational)(?![a-z])/iu, 'info'],
  [
    /\*\*critical severity\*\*|!\[(?:security-)?critical\]\(|\bseverity\W{1,6}critical\b|\[critical\]/i,
    'critical',
  ],
  [
    /\*\*high severity\*\*|!\[(?:security-)?high\]\(|\bseverity\W{1,6}(?:high|major)\b|\[(?:high|major)\]/i,
    'major',
  ],
  [
    /\*\*medium severity\*\*|!\[(?:security-)?medium\]\(|\bseverity\W{1,6}(?:medium|moderate|minor)\b|\[(?:medium|minor)\]/i,
    'minor',
  ],
  [/\*\*low severity\*\*|!\[(?:security-)?low\]\(|\bseverity\W{1,6}low\b|\[low\]/i, 'trivial'],
  [/!\[P0(?: Badge)?\]|alt=["']P0["']|^\W{0,6}(?:\[P0\]|P0\b)/i, 'critical'],
  [/!\[P1(?: Badge)?\]|alt=["']P1["']|^\W{0,6}(?:\[P1\]|P1\b)/i, 'major'],
  [/!\[P2(?: Badge)?\]|alt=["']P2["']|^\W{0,6}(?:\[P2\]|P2\b)/i, 'minor'],
  [/!\[P3(?: Badge)?\]|alt=["']P3["']|^\W{0,6}(?:\[P3\]|P3\b)/i, 'trivial'],
  [/\bimportance(?:\[1-10\])?\W{1,6}(?:9|10)\b/i, 'critical'],
  [/\bimportance(?:\[1-10\])?\W{1,6}[78]\b/i, 'major'],
  [/\bimportance(?:\[1-10\])?\W{1,6}[4-6]\b/i, 'minor'],
  [/\bimportance(?:\[1-10\])?\W{1,6}[1-3]\b/i, 'trivial'],
  [/🧹\s*nitpick|^\W{0,6}\[?nit(?:pick)?\]?(?:\s*\([\w\s/-]+\))?\W*[:\s]/iu, 'trivial'],
  [/^\W{0,6}(?:issue|suggestion)?\s*\(security\)|\*\*🚨\s*(?:issue|suggestion)\s*\(security\)/iu, 'major'],
];

const categories: readonly (readonly [RegExp, Category])[] = [
  [/\b(?:security(?: & privacy)?|vulnerabilit(?:y|ies)|privacy)\b|!\[security-/i, 'security_and_privacy'],
  [/\b(?:data integrity(?: & integration)?|data loss|integration)\b/i, 'data_integrity_and_integration'],
  [
    /\b(?:stability(?: & availability)?|availability|reliability|robustness|resilience|race condition|concurrency)\b/i,
    'stability_and_availability',
  ],
  [/\b(?:performance(?: & scalability)?|scalability|efficiency)\b/i, 'performance_and_scalability'],
  [
    /\b(?:functional correctness|correctness|bug[ _-]risk|possible (?:bug|issue)|logic|logical|incorrect|bug)\b/i,
    'functional_correctness',
  ],
  [
    /\b(?:maintainability(?: & code quality)?|code[ _-]quality|refactor(?: suggestion|ing)?|readability|complexity|style|typo|naming|documentation|testing|nitpick|nit|enhancement|best practice)\b/i,
    'maintainability_and_code_quality',
  ],
];

/** Where reviewers state the category of a finding; elsewhere the same words are prose. */
const labels: readonly RegExp[] = [
  /^_([^_\n]{3,60})_(?:\s*\|\s*_([^_\n]{3,60})_)?(?:\s*\|\s*_([^_\n]{3,60})_)?/u,
  /^\W{0,4}\*{0,2}\W{0,3}(?:issue|suggestion|nitpick|question|todo|praise|thought|chore)\s*\(([\w\s,/-]{3,60})\)\s*:?/iu,
  /^\W{0,4}\*\*([a-z][\w /&-]{2,40}):\*\*/iu,
  /^\W{0,4}\[([a-z][\w /&-]{2,40})\]/iu,
  /!\[([a-z][\w -]{2,40})\]\(/iu,
  /\b(?:category|label|type)\W{1,6}([a-z][\w /&-]{2,40})/iu,
];

/** Parses a comment in the documented formats of common reviewers; what it does not state is null. */
export function readReviewerComment(body: string): ReviewerComment {
  const text = body.replaceAll('\r', '').trim();
  const head = text.slice(0, headLength);
  const label = labels
    .flatMap((pattern) => pattern.exec(head)?.slice(1) ?? [])
    .filter((found) => found !== undefined)
    .join(' | ');
  return {
    title: titleOf(text),
    severity: severities.find(([pattern]) => pattern.test(head))?.[1] ?? null,
    category: categories.find(([pattern]) => pattern.test(label))?.[1] ?? null,
    suggestion: suggestionOf(text),
  };
}

/** The content of a suggestion block, which the host offers to apply. */
function suggestionOf(text: string): string | null {
  const block = readSuggestions(text).find(({ form }) => form === 'block');
  return block?.brings.join('\n') ?? null;
}

/** The first words that are not a label: of a bold line or heading if there is one, otherwise of the first sentence. */
function titleOf(text: string): string {
  const visible = text
    .slice(0, maxTitleSearch)
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(/!\[[^\]\n]*\]\([^)\n]*\)|<[^>\n]{1,500}>/g, ' ')
    .replaceAll(/^[ \t]*(?:```|~~~)[\s\S]*?^[ \t]*(?:```|~~~)[ \t]*$/gm, '');
  const lines = visible
    .split('\n')
    .filter((line) => !/^\s*_[^_\n]+_(?:\s*\|\s*_[^_\n]+_)*\s*$/.test(line))
    .map((line) =>
      line
        .replaceAll(/[*#>`]+|(?<!\w)_+|_+(?!\w)/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
    .filter((line) => /\p{L}{3}/u.test(line) && !isMark(line));
  const first = (lines[0] ?? '').split(/(?<=[.!?])\s/)[0]!;
  return first.length <= maxTitleLength ? first : `${first.slice(0, maxTitleLength - 1)}…`;
}

const isMark = (line: string) =>
  /^\W*(?:critical|major|minor|trivial|info|(?:high|medium|low|critical) severity|p[0-3](?: badge)?)\W*$/iu.test(
    line,
  );
