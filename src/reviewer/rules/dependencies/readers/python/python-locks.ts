import {
  type AskedThen,
  type DependencyFile,
  type LockedPackage,
  UnreadableFile,
} from '../../dependency-file.ts';
import { hostOf } from '../hosts.ts';
import { type LockedTable, readLockedTables } from '../toml-lock.ts';
import { pythonName } from './python-name.ts';

/** `poetry.lock` and `pdm.lock`. */
export function readPoetryLock(text: string): DependencyFile {
  return lockOf(readLockedTables(text), ({ fields, inner }) => {
    // The earliest versions keep all checksums at the end.
    const files = fields.get('files');
    const isFromRegistry = inner.get('source.type') === undefined;
    const hasChecksum = files === undefined || !isFromRegistry ? undefined : /hash\s*=/.test(files);
    return { host: hostOf(inner.get('source.url')), hasChecksum };
  });
}

/** `uv.lock`, which also says what was asked for. */
export function readUvLock(text: string): DependencyFile {
  const tables = readLockedTables(text);
  const asked = new Map<string, AskedThen>();
  const isOwn = ({ fields }: LockedTable) =>
    /\b(?:virtual|editable|directory|path)\s*=\s*"([^"]*)"/.exec(fields.get('source') ?? '')?.[1];
  for (const table of tables) {
    const folder = isOwn(table);
    if (folder === undefined) continue;
    const lists = [...table.inner].filter(([key]) => /^metadata(?:\.requires-dev)?\./.test(key));
    const names = lists.flatMap(([, list]) =>
      [...list.matchAll(/\{ name = "([^"]+)"/g)].map(([, name]) => name!),
    );
    asked.set(folder === '.' ? '' : folder, new Map(names.map((name) => [pythonName(name), null])));
  }
  const locked = lockOf(
    tables.filter((table) => isOwn(table) === undefined),
    ({ fields }) => {
      const source = fields.get('source') ?? '';
      const isFromRegistry = /\bregistry\s*=/.test(source);
      const files = `${fields.get('sdist') ?? ''}${fields.get('wheels') ?? ''}`;
      return {
        host: hostOf(/"([^"]+)"/.exec(source)?.[1]),
        hasChecksum: files === '' || !isFromRegistry ? undefined : /hash\s*=/.test(files),
      };
    },
  );
  return { ...locked, asked };
}

function lockOf(
  tables: readonly LockedTable[],
  factsOf: (table: LockedTable) => Partial<LockedPackage>,
): DependencyFile {
  const packages = tables.flatMap((table): LockedPackage[] => {
    const [name, version] = [table.fields.get('name'), table.fields.get('version')];
    if (name === undefined) throw new UnreadableFile(`the package in line ${table.line} has no name`);
    return version === undefined
      ? []
      : [{ name: pythonName(name), version, line: table.line + 1, ...factsOf(table) }];
  });
  return { packages, requirements: [], answers: new Set(packages.map(({ name }) => name)) };
}
