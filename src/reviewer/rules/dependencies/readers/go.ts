import { type DependencyFile, type LockedPackage, UnreadableFile } from '../dependency-file.ts';
import { linesOf } from './lines-of.ts';

/** Parses `go.mod`, which pins versions itself. */
export function readGoMod(text: string): DependencyFile {
  const packages: LockedPackage[] = [];
  const overridden = new Map<string, string>();
  let ownName: string | undefined;
  let block = '';
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.replace(/\s*\/\/(?!\s*indirect\b).*$/, '').trim();
    if (line === '') continue;
    if (block !== '' && line.startsWith(')')) {
      block = '';
      continue;
    }
    const begun = block === '' ? /^(\w+)\s*\(\s*$/.exec(line)?.[1] : undefined;
    if (begun !== undefined) {
      block = begun;
      continue;
    }
    const [, word = '', rest = line] =
      block === '' ? (/^(\w+)\s+(.*)$/.exec(line) ?? []) : [line, block, line];
    if (word === 'module') ownName = rest.replaceAll('"', '');
    else if (word === 'require') {
      const [, name, version, comment] = /^"?([^\s"]+)"?\s+(\S+)(\s*\/\/.*)?$/.exec(rest) ?? [];
      if (name === undefined)
        throw new UnreadableFile(`line ${index + 1} does not name a module and a version`);
      packages.push({ name, version: version!, line: index + 1, isDirect: comment === undefined });
    } else if (word === 'replace') {
      const [, name, by] = /^"?([^\s"]+)"?(?:\s+\S+)?\s*=>\s*"?([^\s"]+)/.exec(rest) ?? [];
      if (name !== undefined) overridden.set(name, by!);
    } else if (block === '' && word === '') throw new UnreadableFile(`line ${index + 1} is not a directive`);
  }
  const hostOf = (name: string) => {
    const by = overridden.get(name) ?? name;
    if (/^[./]/.test(by)) return undefined;
    // A replacement by another module counts as another host, even if the host is the same.
    return by === name ? name.split('/')[0] : by;
  };
  return {
    packages: packages.map((each) => ({ ...each, host: hostOf(each.name) })),
    requirements: [],
    overridden: new Set(overridden.keys()),
    ownName,
  };
}

/** Parses `go.sum`; `answers` has the modules with a checksum, as `name@version`. */
export function readGoSum(text: string): DependencyFile {
  const answers = new Set<string>();
  for (const { line, number } of linesOf(text)) {
    if (line.trim() === '') continue;
    const [name, version, sum] = line.trim().split(/\s+/);
    if (sum === undefined) throw new UnreadableFile(`line ${number} has no checksum`);
    answers.add(`${name}@${version!.replace(/\/go\.mod$/, '')}`);
  }
  return { packages: [], requirements: [], answers };
}
