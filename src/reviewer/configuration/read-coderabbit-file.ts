import { type ConfigurationFault, readYaml } from './read-postil-file.ts';
import { guidelineFiles, type PostilFile, postilFileShape, type RuleName } from './review-configuration.ts';

/** A `.coderabbit.yaml` converted to a `.postil.yaml`, and the names of its settings without a counterpart. */
export interface ForeignFile {
  readonly file: PostilFile;
  readonly ignored: readonly string[];
}

type Settings = Record<string, unknown>;

/** Its tools, and our rules that do the same. */
const tools: Readonly<Record<string, RuleName>> = {
  oxc: 'oxlint',
  ruff: 'ruff',
  actionlint: 'actionlint',
  gitleaks: 'secrets',
  shellcheck: 'shell',
};

/** Its base branches are regular expressions. Those that match this pattern become globs; others have no counterpart. */
const simpleBranch = /^\^?([\w./-]*?)(\.\*)?\$?$/;
/** It always reviews pull requests into the default branch, whose name is unknown here. */
const usualBranches = ['main', 'master'];

const settingsOf = (value: unknown): Settings =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Settings) : {};

/** Converts the settings that have a counterpart. Values that a `.postil.yaml` cannot have count as settings without one. */
export function readCodeRabbitFile(
  text: string,
): ForeignFile | { readonly faults: readonly ConfigurationFault[] } {
  const read = readYaml(text);
  if ('faults' in read) return read;
  const said = settingsOf(read.value);
  const taken = new Set<string>();
  const candidate: Settings = {};
  const take = (path: string, into: string, convert: (value: unknown) => unknown = (value) => value) => {
    const value = path.split('.').reduce<unknown>((at, key) => settingsOf(at)[key], said);
    const converted = value === undefined ? undefined : convert(value);
    if (converted === undefined || !isAccepted(into, converted)) return;
    put(candidate, into, converted);
    taken.add(path);
  };
  take('language', 'language');
  take('reviews.path_filters', 'reviews.path_filters');
  take('reviews.path_instructions', 'reviews.path_instructions');
  take(
    'reviews.profile',
    'reviews.severity_floor',
    (profile) => ({ chill: 'minor', assertive: 'trivial' })[String(profile)],
  );
  take('reviews.auto_review.enabled', 'reviews.auto_review.enabled');
  take('reviews.auto_review.drafts', 'reviews.auto_review.drafts');
  take('reviews.auto_review.labels', 'reviews.auto_review.labels');
  take('reviews.auto_review.ignore_usernames', 'reviews.auto_review.ignore_authors');
  take('reviews.auto_review.base_branches', 'reviews.auto_review.base_branches', branchGlobs);
  take('knowledge_base.learnings.approval_delay', 'knowledge_base.learnings.approval_delay');
  take('knowledge_base.code_guidelines.enabled', 'knowledge_base.guidelines.enabled');
  // CodeRabbit adds these patterns to its built-in ones.
  take('knowledge_base.code_guidelines.filePatterns', 'knowledge_base.guidelines.files', (patterns) =>
    Array.isArray(patterns) ? [...guidelineFiles, ...patterns] : undefined,
  );
  for (const [tool, rule] of Object.entries(tools))
    take(`reviews.tools.${tool}.enabled`, `reviews.rules.${rule}`);
  return {
    file: postilFileShape.parse(candidate),
    ignored: leavesOf(said).filter((path) => !taken.has(path)),
  };
}

function branchGlobs(given: unknown): string[] | undefined {
  if (!Array.isArray(given)) return undefined;
  if (given.length === 0) return [];
  const globs = given.map((branch) => {
    const [whole, name, rest] = simpleBranch.exec(String(branch)) ?? [];
    return whole === undefined ? undefined : `${name}${rest === undefined ? '' : '**'}`;
  });
  if (globs.some((glob) => glob === undefined || glob === '')) return undefined;
  return [...new Set([...usualBranches, ...(globs as string[])])];
}

function put(target: Settings, path: string, value: unknown): void {
  const keys = path.split('.');
  const last = keys.pop()!;
  let at = target;
  for (const key of keys) {
    at[key] ??= {};
    at = at[key] as Settings;
  }
  at[last] = value;
}

function isAccepted(path: string, value: unknown): boolean {
  const alone: Settings = {};
  put(alone, path, value);
  return postilFileShape.safeParse(alone).success;
}

/** The dotted names of all settings that are not groups. */
function leavesOf(settings: Settings, above = ''): string[] {
  return Object.entries(settings).flatMap(([key, value]) => {
    const path = above === '' ? key : `${above}.${key}`;
    const inner = settingsOf(value);
    return Object.keys(inner).length === 0 ? [path] : leavesOf(inner, path);
  });
}
