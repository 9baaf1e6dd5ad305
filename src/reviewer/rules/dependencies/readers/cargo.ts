import {
  type DependencyFile,
  type LockedPackage,
  type Requirement,
  UnreadableFile,
} from '../dependency-file.ts';
import { hostOf } from './hosts.ts';
import { recordOf, textOf } from './json-keys.ts';
import { beginsWith, lineFinder, readToml } from './python/pyproject.ts';
import { forEachLockedTable } from './toml-lock.ts';

const kinds = ['dependencies', 'dev-dependencies', 'build-dependencies'];

export function readCargoToml(text: string): DependencyFile {
  const document = readToml(text);
  const lineOf = lineFinder(text);
  const tables = [document, ...Object.values(recordOf(document.target)).map((each) => recordOf(each))];
  const asked = [
    ...tables.flatMap((table) => kinds.flatMap((kind) => Object.entries(recordOf(table[kind])))),
    ...Object.entries(recordOf(recordOf(document.workspace).dependencies)),
  ];
  const requirements = asked
    .filter(([, value]) => recordOf(value).path === undefined)
    .map(([key, value]): Requirement => {
      const range = textOf(value) ?? textOf(recordOf(value).version) ?? '';
      return { name: textOf(recordOf(value).package) ?? key, range, line: lineOf(isAboutCrate(key)) };
    });
  return { packages: [], requirements, ownName: textOf(recordOf(document.package).name) };
}

/** Whether a line requires a crate: `serde = "1"`, `serde.workspace = true` or `[dependencies.serde]`. */
function isAboutCrate(key: string): (line: string) => boolean {
  const isKey = beginsWith(key);
  return (line) => isKey(line) || (line.startsWith('[') && line.includes(`dependencies.${key}]`));
}

/** Packages without a source are part of the repository. */
export function readCargoLock(text: string): DependencyFile {
  const answers = new Set<string>();
  const packages: LockedPackage[] = [];
  forEachLockedTable(text, ({ fields, line }) => {
    const [name, version, source] = [fields.get('name'), fields.get('version'), fields.get('source')];
    if (name === undefined || version === undefined)
      throw new UnreadableFile(`the package in line ${line} has no name or version`);
    answers.add(name);
    if (source === undefined) return;
    const isFromRegistry = /^(?:registry|sparse)\+/.test(source);
    const hasChecksum = fields.has('checksum') ? true : isFromRegistry ? false : undefined;
    packages.push({ name, version, line: line + 1, host: hostOf(source), hasChecksum });
  });
  // The first versions of the format have all checksums at the end of the file.
  const isEarly = /^\[metadata\]$/m.test(text);
  const known = isEarly ? packages.map((each) => ({ ...each, hasChecksum: undefined })) : packages;
  return { packages: known, requirements: [], answers };
}
