import path from 'node:path';
import type { ChangedFile } from '../change/change.ts';
import { isLockFile } from '../change/file-kinds.ts';

/** Kinds of files whose changes affect more than the files themselves. */
export const sensitiveKinds = ['migration', 'contract', 'dependency', 'workflow'] as const;
export type SensitiveKind = (typeof sensitiveKinds)[number];

const migrations = /(?:^|\/)(?:migrations|migrate|alembic\/versions)\/.+|(?:^|\/)V[^/]*__[^/]*\.sql$/;
const contracts = /\.(?:graphqls?|proto)$|(?:^|\/)(?:openapi|swagger)[^/]*\.(?:ya?ml|json)$/i;
const workflows =
  /^\.(?:github|gitea|forgejo)\/(?:workflows|actions)\/.+\.ya?ml$|^\.gitlab-ci\.yml$|^\.gitlab\/ci\/|^(?:Jenkinsfile|azure-pipelines\.yml|\.circleci\/config\.yml|\.drone\.yml|\.woodpecker\.ya?ml)$|^\.woodpecker\/.+\.ya?ml$/;
const manifests =
  /(?:^|\/)(?:go\.mod|Gemfile|Cargo\.toml|composer\.json|pom\.xml|build\.gradle(?:\.kts)?|Pipfile|requirements[^/]*\.txt|Directory\.Packages\.props)$|\.csproj$/;

/** The kind of a changed file; undefined if it is not sensitive. */
export async function sensitiveKindOf(file: ChangedFile): Promise<SensitiveKind | undefined> {
  const name = file.path;
  if (migrations.test(name)) return 'migration';
  if (contracts.test(name) || (await isDescribedApi(file))) return 'contract';
  if (workflows.test(name)) return 'workflow';
  if (isLockFile(name) || manifests.test(name) || (await asksForOthers(file))) return 'dependency';
  return undefined;
}

async function isDescribedApi(file: ChangedFile): Promise<boolean> {
  if (!/\.(?:ya?ml|json)$/i.test(file.path)) return false;
  const text = (await file.newText()) ?? (await file.oldText()) ?? '';
  return /^\s*["']?(?:openapi|swagger)["']?\s*:\s*["']?\d/m.test(text.slice(0, 2_000));
}

/** Whether the dependencies in a manifest changed; manifests with other content are compared by their dependencies only. */
async function asksForOthers(file: ChangedFile): Promise<boolean> {
  const askedBy = readers[path.posix.basename(file.path)];
  if (askedBy === undefined || file.hunks.length === 0) return false;
  return askedBy((await file.oldText()) ?? '{}') !== askedBy((await file.newText()) ?? '{}');
}

const readers: Readonly<Record<string, (text: string) => string>> = {
  'package.json': (text) => {
    try {
      const manifest = JSON.parse(text) as Record<string, unknown>;
      const kinds = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];
      return JSON.stringify([...kinds, 'overrides', 'resolutions'].map((kind) => manifest[kind] ?? {}));
    } catch {
      return '';
    }
  },
  // Requirements are the only strings in it that consist of a name and a version.
  'pyproject.toml': (text) =>
    [
      ...text.matchAll(
        /["'][\w.-]+(?:\[[\w, -]*\])? ?(?:[<>=~!]=|[<>]|@ )[^"'\n]*["']|^[\w.-]+ = ["'{][\^~<>=*\d{v].*$/gm,
      ),
    ]
      .map(([each]) => each)
      .filter((each) => !/^(?:version|python_version|target-version|line-length) /.test(each))
      .join('\n'),
};
