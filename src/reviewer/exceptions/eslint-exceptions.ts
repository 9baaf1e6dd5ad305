import { globMatcher } from '../../lib/patterns/glob.ts';
import { readJsonWithComments } from '../code/javascript/json-with-comments.ts';
import { ignoreList } from '../repository/trees/ignore-list.ts';
import { oxlintTable } from '../rules/oxlint/oxlint-table.ts';
import { below, foldersAbove, type SettingsFile } from './settings-files.ts';
import { type Silence, textsOf } from './silence.ts';

export const eslintFiles = ['.oxlintrc.json', '.eslintrc.json', '.eslintignore'] as const;

const covered = /\.(?:[cm]?[jt]s|[jt]sx)$/;

/** A block of rule settings in a file; a later block takes precedence. */
interface RuleWords {
  readonly isFor: (path: string) => boolean;
  readonly rules: ReadonlyMap<string, 'on' | 'off'>;
  /** The categories of oxlint's rules that are turned off. */
  readonly categoriesOff?: ReadonlySet<string>;
}

interface FileSettings {
  readonly folder: string;
  readonly isIgnored: (path: string) => boolean;
  readonly words: readonly RuleWords[];
  /** Settings in the folders above do not apply. */
  readonly isRoot: boolean;
}

/** The exceptions in the settings of oxlint, of which only the nearest file applies, and of ESLint, which merges its files. */
export async function eslintExceptions(files: readonly SettingsFile[]): Promise<Silence[]> {
  const named = (name: (typeof eslintFiles)[number]) => files.filter((file) => file.name === name);
  const oxlint = await readAll(named('.oxlintrc.json'), true);
  const eslint = await readAll(named('.eslintrc.json'), false);
  const ignores = named('.eslintignore').map(({ folder, text }) => ({
    folder,
    isIgnored: ignoreList(text.split('\n')),
  }));
  const isListed: Silence = (path) =>
    ignores.some(({ folder, isIgnored }) => isBelow(folder, path) && isIgnored(below(folder, path)));
  return [oxlint, eslint]
    .filter((settings) => settings.size > 0)
    .map(
      (settings): Silence =>
        (path, rule) =>
          isSilent(settings, path, rule),
    )
    .concat(ignores.length > 0 ? [isListed] : [])
    .map(
      (silence): Silence =>
        (path, rule) =>
          covered.test(path) && silence(path, rule),
    );
}

const isBelow = (folder: string, path: string) => folder === '' || path.startsWith(`${folder}/`);

function isSilent(settings: ReadonlyMap<string, FileSettings>, path: string, rule: string): boolean {
  const holding: FileSettings[] = [];
  for (const folder of foldersAbove(path)) {
    const own = settings.get(folder);
    if (own === undefined) continue;
    holding.unshift(own);
    if (own.isRoot) break;
  }
  if (holding.some(({ folder, isIgnored }) => isIgnored(below(folder, path)))) return true;
  const names = namesOf(rule);
  if (names.length === 0) return false;
  const said = new Map<string, 'on' | 'off'>();
  for (const { folder, words } of holding)
    for (const { isFor, rules, categoriesOff } of words) {
      if (!isFor(below(folder, path))) continue;
      if (categoriesOff?.has(categoryOf(rule))) said.set('', 'off');
      for (const name of names) if (rules.has(name)) said.set(name, rules.get(name)!);
    }
  // A rule that is off only because the one of a plugin replaces it is still wanted.
  return said.size > 0 && [...said.values()].every((word) => word === 'off');
}

/** By plugin of oxlint, the prefixes that its rules have in ESLint, if they differ. */
const pluginNames: Readonly<Record<string, readonly string[]>> = {
  eslint: ['', 'eslint/', '@typescript-eslint/', 'typescript/'],
  typescript: ['@typescript-eslint/', 'typescript/'],
  react: ['react/', 'react-hooks/'],
  node: ['node/', 'n/'],
};

/** From oxlint's own list; all other rules that we use are in `correctness`. */
const otherCategories: Readonly<Record<string, string>> = {
  'oxlint/no-implied-eval': 'suspicious',
  'oxlint/no-unexpected-multiline': 'suspicious',
  'oxlint/no-exports-assign': 'suspicious',
  'oxlint/misrefactored-assign-op': 'suspicious',
  'oxlint/jsx-no-script-url': 'suspicious',
  'oxlint/no-accessor-recursion': 'suspicious',
  'oxlint/no-array-fill-with-reference-type': 'suspicious',
  'oxlint/no-self-compare': 'pedantic',
  'oxlint/rules-of-hooks': 'pedantic',
};
const categoryOf = (rule: string) => otherCategories[rule] ?? 'correctness';

/** Our patterns that report the same as a rule of ESLint. */
const patternNames: Readonly<Record<string, readonly string[]>> = {
  'patterns/code-from-text': ['no-eval'],
};

/** The names by which settings turn off a rule. */
function namesOf(rule: string): readonly string[] {
  const ofPattern = patternNames[rule];
  if (ofPattern !== undefined) return ofPattern;
  const name = /^oxlint\/(.+)$/.exec(rule)?.[1];
  if (name === undefined) return [];
  return Object.keys(oxlintTable)
    .filter((key) => key.slice(key.indexOf('/') + 1) === name)
    .flatMap((key) => {
      const plugin = key.slice(0, key.indexOf('/'));
      return (pluginNames[plugin] ?? [`${plugin}/`]).map((prefix) => `${prefix}${name}`);
    });
}

async function readAll(files: readonly SettingsFile[], isAlone: boolean) {
  const found = new Map<string, FileSettings>();
  for (const { folder, text } of files) {
    const settings = await readJsonWithComments(text);
    if (typeof settings === 'object' && settings !== null)
      found.set(folder, readSettings(folder, settings as Settings, isAlone));
  }
  return found;
}

interface Settings {
  readonly root?: unknown;
  readonly rules?: unknown;
  readonly categories?: unknown;
  readonly ignorePatterns?: unknown;
  readonly overrides?: unknown;
}

function readSettings(folder: string, settings: Settings, isAlone: boolean): FileSettings {
  const overrides = Array.isArray(settings.overrides) ? settings.overrides : [];
  return {
    folder,
    isIgnored: ignoreList(textsOf(settings.ignorePatterns)),
    words: [
      { isFor: () => true, rules: rulesOf(settings.rules), categoriesOff: namesOff(settings.categories) },
      ...overrides.map((override) => ({
        isFor: overrideTest(textsOf(override?.files), textsOf(override?.excludedFiles)),
        rules: rulesOf(override?.rules),
      })),
    ],
    isRoot: isAlone || settings.root === true,
  };
}

function rulesOf(given: unknown): ReadonlyMap<string, 'on' | 'off'> {
  return new Map(
    Object.entries(given ?? {}).map(([name, value]) => {
      const level = Array.isArray(value) ? value[0] : value;
      return [name, level === 'off' || level === 'allow' || level === 0 ? 'off' : 'on'];
    }),
  );
}

function namesOff(given: unknown): ReadonlySet<string> {
  return new Set([...rulesOf(given)].flatMap(([name, word]) => (word === 'off' ? [name] : [])));
}

/** Returns a test for paths. A glob without a slash matches the name of the file. */
function overrideTest(files: readonly string[], excluded: readonly string[]): (path: string) => boolean {
  const anywhere = (glob: string) => (glob.includes('/') ? glob.replace(/^\.\//, '') : `**/${glob}`);
  const isNamed = globMatcher(files.map(anywhere), { dot: true });
  const isExcluded = globMatcher(excluded.map(anywhere), { dot: true });
  return (path) => isNamed(path) && !isExcluded(path);
}
