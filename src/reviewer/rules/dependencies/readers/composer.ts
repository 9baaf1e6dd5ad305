import {
  type DependencyFile,
  type LockedPackage,
  type Requirement,
  UnreadableFile,
} from '../dependency-file.ts';
import { hostOf } from './hosts.ts';
import { forEachKey, listOf, readJson, recordOf, textOf } from './json-keys.ts';

const kinds = ['require', 'require-dev'];
const sections = ['packages', 'packages-dev'];
/** Requirements of the platform, such as `php` and `ext-json`. */
const isPlatform = (name: string) => !name.includes('/');

export function readComposerJson(text: string): DependencyFile {
  const manifest = readJson(text);
  const requirements: Requirement[] = [];
  forEachKey(text, ([kind, name, deeper], line) => {
    if (typeof name !== 'string' || deeper !== undefined || !kinds.includes(kind as string)) return;
    if (isPlatform(name)) return;
    requirements.push({
      name: name.toLowerCase(),
      range: textOf(recordOf(manifest[kind as string])[name]) ?? '',
      line,
    });
  });
  return { packages: [], requirements, ownName: textOf(manifest.name) };
}

export function readComposerLock(text: string): DependencyFile {
  const lock = readJson(text);
  if (!Array.isArray(lock.packages)) throw new UnreadableFile('it has no packages');
  const packages: LockedPackage[] = [];
  const answers = new Set<string>();
  forEachKey(text, ([section, index, key, deeper], line) => {
    if (key !== 'name' || deeper !== undefined || !sections.includes(section as string)) return;
    const entry = recordOf(listOf(lock[section as string])[index as number]);
    const [name, version] = [textOf(entry.name)?.toLowerCase(), textOf(entry.version)];
    if (name === undefined || version === undefined) return;
    answers.add(name);
    for (const each of ['replace', 'provide'])
      for (const other of Object.keys(recordOf(entry[each]))) answers.add(other.toLowerCase());
    const licences = listOf(entry.license).filter((each) => typeof each === 'string');
    packages.push({
      name,
      version,
      line,
      host: hostOf(textOf(recordOf(entry.dist).url) ?? textOf(recordOf(entry.source).url)),
      licence:
        licences.length === 0
          ? undefined
          : licences.length === 1
            ? licences[0]
            : `(${licences.join(' OR ')})`,
    });
  });
  return { packages, requirements: [], answers };
}
