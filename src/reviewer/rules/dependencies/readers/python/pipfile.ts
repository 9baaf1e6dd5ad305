import {
  type DependencyFile,
  type LockedPackage,
  type Requirement,
  UnreadableFile,
} from '../../dependency-file.ts';
import { forEachKey, readJson, recordOf, textOf } from '../json-keys.ts';
import { beginsWith, lineFinder, readToml } from './pyproject.ts';
import { pythonName } from './python-name.ts';

const kinds = ['packages', 'dev-packages'];
const sections = ['default', 'develop'];

export function readPipfile(text: string): DependencyFile {
  const document = readToml(text);
  const lineOf = lineFinder(text);
  const requirements = kinds
    .flatMap((kind) => Object.entries(recordOf(document[kind])))
    .filter(([, value]) => recordOf(value).path === undefined && recordOf(value).file === undefined)
    .map(([name, value]): Requirement => {
      const range = textOf(value) ?? textOf(recordOf(value).version) ?? '';
      return { name: pythonName(name), range: range === '*' ? '' : range, line: lineOf(beginsWith(name)) };
    });
  return { packages: [], requirements };
}

export function readPipfileLock(text: string): DependencyFile {
  const lock = readJson(text);
  if (lock._meta === undefined) throw new UnreadableFile('it has no `_meta` section');
  const packages = new Map<string, LockedPackage>();
  const answers = new Set<string>();
  forEachKey(text, ([section, name, deeper], line) => {
    if (typeof name !== 'string' || deeper !== undefined || !sections.includes(section as string)) return;
    answers.add(pythonName(name));
    const entry = recordOf(recordOf(lock[section as string])[name]);
    const version = textOf(entry.version)?.replace(/^=+/, '');
    if (version !== undefined)
      packages.set(pythonName(name), {
        name: pythonName(name),
        version,
        line,
        hasChecksum: entry.hashes !== undefined,
      });
  });
  return { packages: [...packages.values()], requirements: [], answers };
}
