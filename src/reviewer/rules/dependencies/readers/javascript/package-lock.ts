import {
  type AskedThen,
  type DependencyFile,
  type LockedPackage,
  UnreadableFile,
} from '../../dependency-file.ts';
import { hostOf } from '../hosts.ts';
import { forEachKey, readJson, recordOf, textOf } from '../json-keys.ts';
import { askingKinds } from './package-json.ts';

type Entry = Record<string, unknown>;

/** Parses `package-lock.json` and `npm-shrinkwrap.json`, versions 1 to 3. */
export function readPackageLock(text: string): DependencyFile {
  const lock = readJson(text);
  if (lock.packages !== undefined)
    return readPackages(text, recordOf(lock.packages, 'its packages are no object'));
  if (lock.dependencies === undefined && lock.lockfileVersion === undefined)
    throw new UnreadableFile('it has neither packages nor a version');
  return readTree(text, recordOf(lock.dependencies));
}

/** Versions 2 and 3 have all packages by the folder that they are installed in. */
function readPackages(text: string, entries: Record<string, unknown>): DependencyFile {
  const lines = new Map<string, number>();
  forEachKey(text, (keys, line) => {
    if (keys.length === 2 && keys[0] === 'packages') lines.set(keys[1] as string, line);
  });
  const asked = new Map<string, AskedThen>();
  for (const [place, entry] of Object.entries(entries))
    if (!place.includes('node_modules/')) asked.set(place, askedBy(recordOf(entry)));
  const packages: LockedPackage[] = [];
  for (const [place, value] of Object.entries(entries)) {
    const entry = recordOf(value);
    const at = place.lastIndexOf('node_modules/');
    const version = textOf(entry.version);
    if (at === -1 || entry.link === true || version === undefined) continue;
    const name = textOf(entry.name) ?? place.slice(at + 'node_modules/'.length);
    const folder = place.slice(0, Math.max(at - 1, 0));
    const isDirect = asked.get(folder)?.has(place.slice(at + 'node_modules/'.length)) === true;
    packages.push({ name, version, line: lines.get(place) ?? 1, isDirect, ...factsOf(entry, 'inBundle') });
  }
  return { packages, requirements: [], asked };
}

function askedBy(entry: Entry): AskedThen {
  const asked = new Map<string, string | null>();
  for (const kind of askingKinds)
    for (const [name, range] of Object.entries(recordOf(entry[kind]))) asked.set(name, textOf(range) ?? '');
  return asked;
}

/** Version 1 has a tree of packages. */
function readTree(text: string, dependencies: Record<string, unknown>): DependencyFile {
  const lines = new Map<string, number>();
  forEachKey(text, (keys, line) => {
    if (keys.length % 2 === 0 && keys.at(-2) === 'dependencies') lines.set(keys.join('\0'), line);
  });
  const packages: LockedPackage[] = [];
  const collect = (inner: Record<string, unknown>, above: string) => {
    for (const [name, value] of Object.entries(inner)) {
      const entry = recordOf(value);
      const key = `${above}dependencies\0${name}`;
      const version = textOf(entry.version);
      if (version !== undefined && !version.startsWith('file:'))
        packages.push({ name, version, line: lines.get(key) ?? 1, ...factsOf(entry, 'bundled') });
      if (entry.dependencies !== undefined) collect(recordOf(entry.dependencies), `${key}\0`);
    }
  };
  collect(dependencies, '');
  return { packages, requirements: [], answers: new Set(Object.keys(dependencies)) };
}

function factsOf(entry: Entry, bundled: string): Partial<LockedPackage> {
  const resolved = textOf(entry.resolved);
  const host = hostOf(
    resolved ?? (/^(?:git|https?)[+:]/.test(textOf(entry.version) ?? '') ? textOf(entry.version) : undefined),
  );
  const isFromRegistry = resolved !== undefined && /^https?:/.test(resolved);
  return {
    host,
    hasChecksum:
      entry.integrity !== undefined ? true : isFromRegistry && entry[bundled] !== true ? false : undefined,
    runsScript: entry.hasInstallScript === true,
    licence: textOf(entry.license) ?? textOf(recordOf(entry.license).type),
  };
}
