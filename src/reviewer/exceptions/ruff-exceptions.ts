import { parse } from 'smol-toml';
import { globMatcher } from '../../lib/patterns/glob.ts';
import { ruffTable } from '../rules/ruff/ruff-table.ts';
import { below, foldersAbove, type SettingsFile } from './settings-files.ts';
import { type Silence, textsOf } from './silence.ts';

/** In the order in which Ruff searches for them in a folder. */
export const ruffFiles = ['.ruff.toml', 'ruff.toml', 'pyproject.toml'] as const;

interface Table {
  readonly [key: string]: unknown;
}
const tableAt = (from: unknown, key: string): Table => {
  const found = (from as Table | undefined)?.[key];
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? (found as Table) : {};
};

/** The exceptions in the settings of Ruff; only the nearest file applies, as for Ruff itself. */
export function ruffExceptions(files: readonly SettingsFile[]): Silence[] {
  const byFolder = Map.groupBy(files, ({ folder }) => folder);
  const settings = new Map<string, FileSettings>();
  for (const [folder, own] of byFolder) {
    const first = ruffFiles.flatMap((name) => own.filter((file) => file.name === name)).find(isForRuff);
    if (first !== undefined) settings.set(folder, readSettings(folder, first));
  }
  if (settings.size === 0) return [];
  return [
    (path, rule) => {
      const nearest = foldersAbove(path).find((folder) => settings.has(folder));
      return nearest !== undefined && settings.get(nearest)!.isSilent(path, rule);
    },
  ];
}

function isForRuff({ name, text }: SettingsFile): boolean {
  return name !== 'pyproject.toml' || /^\s*\[tool\.ruff\b/m.test(text);
}

interface FileSettings {
  isSilent(path: string, rule: string): boolean;
}
const silentAboutNothing: FileSettings = { isSilent: () => false };

function readSettings(folder: string, { name, text }: SettingsFile): FileSettings {
  let whole: Table;
  try {
    whole = parse(text);
  } catch {
    return silentAboutNothing;
  }
  const ruff = name === 'pyproject.toml' ? tableAt(tableAt(whole, 'tool'), 'ruff') : whole;
  // Options of the linter may be outside of its table, as in earlier versions of Ruff.
  const sections = [ruff, tableAt(ruff, 'lint')];
  const listed = (key: string) => sections.flatMap((section) => textsOf(section[key]));
  const isExcluded = pathTest(folder, [...listed('exclude'), ...listed('extend-exclude')]);
  const ignored = [...listed('ignore'), ...listed('extend-ignore')];
  const selected = [...listed('select'), ...listed('extend-select')];
  const byFile = sections.flatMap((section) =>
    ['per-file-ignores', 'extend-per-file-ignores'].flatMap((key) =>
      Object.entries(tableAt(section, key)).map(([glob, codes]) => {
        const isNegated = glob.startsWith('!');
        const matches = pathTest(folder, [isNegated ? glob.slice(1) : glob]);
        return { codes: textsOf(codes), isFor: (path: string) => matches(path) !== isNegated };
      }),
    ),
  );
  return {
    isSilent(path, rule) {
      if (!/\.pyi?$/.test(path)) return false;
      // An excluded file is silent for all linters, but rules that are turned off are only Ruff's own.
      if (isExcluded(path)) return true;
      const code = rule.startsWith('ruff/') ? rule.slice('ruff/'.length) : undefined;
      if (code === undefined || !(code in ruffTable)) return false;
      const off = byFile.filter(({ isFor }) => isFor(path)).flatMap(({ codes }) => codes);
      if (off.some((selector) => isSelected(selector, code))) return true;
      const ignoring = precisionOf(ignored, code);
      return ignoring >= 0 && ignoring >= precisionOf(selected, code);
    },
  };
}

/** Whether a selector names a rule. Letters must be a whole group, so `A` does not select `ASYNC`; only Pylint has subgroups. */
function isSelected(selector: string, code: string): boolean {
  if (selector === 'ALL') return true;
  if (!code.startsWith(selector)) return false;
  return selector === 'PL' || /\d$/.test(selector) || /^(?:\d|$)/.test(code.slice(selector.length));
}

/** How specific the best selector of a rule is, by which Ruff decides between ignored and selected; -1 if there is none. */
function precisionOf(selectors: readonly string[], code: string): number {
  const fitting = selectors.filter((selector) => isSelected(selector, code));
  return Math.max(-1, ...fitting.map((selector) => (selector === 'ALL' ? 0 : selector.length)));
}

/** Returns a test for paths. A glob of Ruff matches the path from its folder, a folder above the file, or the name of either. */
function pathTest(folder: string, globs: readonly string[]): (path: string) => boolean {
  const matches = globMatcher(
    globs.map((glob) => glob.replace(/^\.\//, '').replace(/\/$/, '')),
    { dot: true },
  );
  return (path) => {
    const parts = below(folder, path).split('/');
    return parts.some((part, index) => matches(part) || matches(parts.slice(0, index + 1).join('/')));
  };
}
