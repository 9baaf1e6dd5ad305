import {
  type AskedThen,
  type DependencyFile,
  type LockedPackage,
  UnreadableFile,
} from '../../dependency-file.ts';
import { hostOf } from '../hosts.ts';
import { forEachLockedTable, type LockedTable } from '../toml-lock.ts';
import { pythonName } from './python-name.ts';

/** Parses `poetry.lock` and `pdm.lock`. */
export function readPoetryLock(text: string): DependencyFile {
  const packages: LockedPackage[] = [];
  forEachLockedTable(text, (table) => {
    const { fields, inner } = table;
    // The earliest versions of the format have all checksums at the end of the file.
    const files = fields.get('files');
    const isFromRegistry = inner.get('source.type') === undefined;
    const hasChecksum = files === undefined || !isFromRegistry ? undefined : /hash\s*=/.test(files);
    packages.push(...packageOf(table, { host: hostOf(inner.get('source.url')), hasChecksum }));
  });
  return lockOf(packages);
}

/** Parses `uv.lock`, which also records the requirements. */
export function readUvLock(text: string): DependencyFile {
  const packages: LockedPackage[] = [];
  const asked = new Map<string, AskedThen>();
  forEachLockedTable(text, (table) => {
    const source = table.fields.get('source') ?? '';
    const folder = /\b(?:virtual|editable|directory|path)\s*=\s*"([^"]*)"/.exec(source)?.[1];
    if (folder === undefined) packages.push(...packageOf(table, uvFacts(table, source)));
    else asked.set(folder === '.' ? '' : folder, askedIn(table));
  });
  return { ...lockOf(packages), asked };
}

function askedIn({ inner }: LockedTable): AskedThen {
  const lists = [...inner].filter(([key]) => /^metadata(?:\.requires-dev)?\./.test(key));
  const names = lists.flatMap(([, list]) =>
    [...list.matchAll(/\{ name = "([^"]+)"/g)].map(([, name]) => name!),
  );
  return new Map(names.map((name) => [pythonName(name), null]));
}

function uvFacts({ fields }: LockedTable, source: string): Partial<LockedPackage> {
  const isFromRegistry = /\bregistry\s*=/.test(source);
  const files = `${fields.get('sdist') ?? ''}${fields.get('wheels') ?? ''}`;
  return {
    host: hostOf(/"([^"]+)"/.exec(source)?.[1]),
    hasChecksum: files === '' || !isFromRegistry ? undefined : /hash\s*=/.test(files),
  };
}

/** The package of a table; none if it has no version, since it is part of the repository then. */
function packageOf({ fields, line }: LockedTable, facts: Partial<LockedPackage>): LockedPackage[] {
  const [name, version] = [fields.get('name'), fields.get('version')];
  if (name === undefined) throw new UnreadableFile(`the package in line ${line} has no name`);
  return version === undefined ? [] : [{ name: pythonName(name), version, line: line + 1, ...facts }];
}

function lockOf(packages: readonly LockedPackage[]): DependencyFile {
  return { packages, requirements: [], answers: new Set(packages.map(({ name }) => name)) };
}
