import type { ChangeSource } from '../change/change-source.ts';
import { eslintExceptions, eslintFiles } from './eslint-exceptions.ts';
import { attributesFile, generatedByAttributes } from './generated-by-attributes.ts';
import { ruffExceptions, ruffFiles } from './ruff-exceptions.ts';
import { readSettingsFiles, type SettingsFile } from './settings-files.ts';
import { shellcheckExceptions, shellcheckFiles } from './shellcheck-exceptions.ts';
import type { Silence } from './silence.ts';

// Rules that a repository has turned off in the settings of its linters stay off. The settings are read as data, from the
// base, so that a change cannot silence its own findings; `extends` is not followed. Only linters can be silenced: a
// credential is reported whatever the settings of a linter say.

/** The sources whose rules a repository can turn off. */
const linters: ReadonlySet<string> = new Set(['oxlint', 'ruff', 'shell', 'actionlint', 'patterns']);

/** Reads which rules of linters the repository has turned off for these files. */
export async function readExceptions(source: ChangeSource, paths: readonly string[]): Promise<Silence> {
  const files = await settingsIn(source, paths, [...ruffFiles, ...eslintFiles, ...shellcheckFiles]);
  const of = (names: readonly string[]) => files.filter(({ name }) => names.includes(name));
  const silences = [
    ...ruffExceptions(of(ruffFiles)),
    ...(await eslintExceptions(of(eslintFiles))),
    ...shellcheckExceptions(of(shellcheckFiles)),
  ];
  return (path, rule) =>
    linters.has(rule.slice(0, rule.indexOf('/'))) && silences.some((silence) => silence(path, rule));
}

/** Filters paths for files that the repository marks as generated or vendored. */
export async function findGenerated(source: ChangeSource, paths: readonly string[]): Promise<string[]> {
  return paths.filter(generatedByAttributes(await settingsIn(source, paths, [attributesFile])));
}

async function settingsIn(
  source: ChangeSource,
  paths: readonly string[],
  names: readonly string[],
): Promise<SettingsFile[]> {
  if (source.kind !== 'commits' || paths.length === 0) return [];
  return readSettingsFiles(source.repository, source.base, paths, names);
}
