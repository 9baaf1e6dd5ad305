import { isFixture, isGeneratedPath } from '../../change/file-kinds.ts';
import type { Ecosystem } from '../../review-report.ts';
import type { DependencyFile } from './dependency-file.ts';
import { readActions } from './readers/actions.ts';
import { readCargoLock, readCargoToml } from './readers/cargo.ts';
import { readComposerJson, readComposerLock } from './readers/composer.ts';
import { readNugetLock, readProjectFile } from './readers/dotnet.ts';
import { readGemfile, readGemfileLock } from './readers/gems.ts';
import { readGoMod, readGoSum } from './readers/go.ts';
import { readPackageJson } from './readers/javascript/package-json.ts';
import { readPackageLock } from './readers/javascript/package-lock.ts';
import { readPnpmLock } from './readers/javascript/pnpm-lock.ts';
import { readYarnLock } from './readers/javascript/yarn-lock.ts';
import { readGradleLock, readPom } from './readers/maven.ts';
import { readPipfile, readPipfileLock } from './readers/python/pipfile.ts';
import { readPyproject } from './readers/python/pyproject.ts';
import { readPoetryLock, readUvLock } from './readers/python/python-locks.ts';
import { readRequirements } from './readers/python/requirements.ts';

/** One kind of manifest or lock file. */
export interface FileKind {
  readonly names: RegExp;
  readonly ecosystem: Ecosystem;
  /** A manifest has the required version ranges, a lock file the resolved versions. */
  readonly role: 'manifest' | 'lock';
  read(text: string): DependencyFile;
}

const kind = (
  names: RegExp,
  ecosystem: Ecosystem,
  role: FileKind['role'],
  read: FileKind['read'],
): FileKind => ({ names, ecosystem, role, read });

/** Every manifest and lock file that is read. */
const kinds: readonly FileKind[] = [
  kind(/(?:^|\/)package\.json$/, 'npm', 'manifest', readPackageJson),
  kind(/(?:^|\/)(?:package-lock|npm-shrinkwrap)\.json$/, 'npm', 'lock', readPackageLock),
  kind(/(?:^|\/)yarn\.lock$/, 'npm', 'lock', readYarnLock),
  kind(/(?:^|\/)pnpm-lock\.yaml$/, 'npm', 'lock', readPnpmLock),
  kind(
    /(?:^|\/)(?:requirements|constraints)[^/]*\.txt$|(?:^|\/)requirements\/[^/]+\.txt$/,
    'PyPI',
    'manifest',
    readRequirements,
  ),
  kind(/(?:^|\/)pyproject\.toml$/, 'PyPI', 'manifest', readPyproject),
  kind(/(?:^|\/)(?:poetry|pdm)\.lock$/, 'PyPI', 'lock', readPoetryLock),
  kind(/(?:^|\/)uv\.lock$/, 'PyPI', 'lock', readUvLock),
  kind(/(?:^|\/)Pipfile$/, 'PyPI', 'manifest', readPipfile),
  kind(/(?:^|\/)Pipfile\.lock$/, 'PyPI', 'lock', readPipfileLock),
  kind(/(?:^|\/)go\.mod$/, 'Go', 'manifest', readGoMod),
  kind(/(?:^|\/)go\.sum$/, 'Go', 'lock', readGoSum),
  kind(/(?:^|\/)Cargo\.toml$/, 'crates.io', 'manifest', readCargoToml),
  kind(/(?:^|\/)Cargo\.lock$/, 'crates.io', 'lock', readCargoLock),
  kind(/(?:^|\/)pom\.xml$/, 'Maven', 'manifest', readPom),
  kind(
    /(?:^|\/)(?:buildscript-)?gradle\.lockfile$|(?:^|\/)dependency-locks\/[^/]+\.lockfile$/,
    'Maven',
    'lock',
    readGradleLock,
  ),
  kind(/(?:^|\/)Gemfile$/, 'RubyGems', 'manifest', readGemfile),
  kind(/(?:^|\/)Gemfile\.lock$/, 'RubyGems', 'lock', readGemfileLock),
  kind(/(?:^|\/)composer\.json$/, 'Packagist', 'manifest', readComposerJson),
  kind(/(?:^|\/)composer\.lock$/, 'Packagist', 'lock', readComposerLock),
  kind(
    /\.(?:cs|fs|vb)proj$|(?:^|\/)(?:Directory\.(?:Packages|Build)\.props|packages\.config)$/,
    'NuGet',
    'manifest',
    readProjectFile,
  ),
  kind(/(?:^|\/)packages\.lock\.json$/, 'NuGet', 'lock', readNugetLock),
  kind(
    /^\.(?:github|gitea|forgejo)\/workflows\/[^/]+\.ya?ml$|(?:^|\/)action\.ya?ml$/,
    'GitHub Actions',
    'manifest',
    readActions,
  ),
];

/** The kind of a manifest or lock file; undefined for other files, fixtures, and generated or vendored files. */
export function kindOf(path: string): FileKind | undefined {
  if (isFixture(path) || isGeneratedPath(path)) return undefined;
  return kinds.find(({ names }) => names.test(path));
}
