import {
  type DependencyFile,
  type LockedPackage,
  type Requirement,
  UnreadableFile,
} from '../dependency-file.ts';
import { hostOf } from './hosts.ts';

/** Parses `Gemfile`. Because it is a program, only requirements without a condition, on a line of their own, are read. */
export function readGemfile(text: string): DependencyFile {
  const requirements: Requirement[] = [];
  const blocks: boolean[] = [];
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim();
    if (/^(?:if|unless|case|while|def|begin|platforms?|install_if)\b/.test(line)) blocks.push(true);
    else if (/\bdo(?:\s*\|[^|]*\|)?$/.test(line)) blocks.push(!/^(?:group|source)\b/.test(line));
    else if (/^end\b/.test(line)) blocks.pop();
    const [, name, rest = ''] = /^gem[\s(]+["']([^"']+)["'](.*)$/.exec(line) ?? [];
    if (
      name === undefined ||
      blocks.includes(true) ||
      /\b(?:if|unless|path|install_if)\b|\bplatforms?:/.test(rest)
    )
      continue;
    const ranges = /^((?:\s*,\s*["'][^"']*["'])*)/.exec(rest)![1]!;
    requirements.push({
      name,
      range: [...ranges.matchAll(/["']([^"']*)["']/g)].map(([, each]) => each).join(', '),
      line: index + 1,
    });
  }
  return { packages: [], requirements };
}

export function readGemfileLock(text: string): DependencyFile {
  const packages: { -readonly [Key in keyof LockedPackage]: LockedPackage[Key] }[] = [];
  const asked = new Map<string, string | null>();
  const checked = new Map<string, boolean>();
  let [section, host]: [string, string | undefined] = ['', undefined];
  for (const [index, line] of text.split('\n').entries()) {
    if (/^[A-Z][A-Z ]+$/.test(line.trimEnd())) {
      [section, host] = [line.trim(), undefined];
      continue;
    }
    if (/^\S/.test(line) && line.trim() !== '')
      throw new UnreadableFile(`line ${index + 1} is not the start of a section`);
    if (/^ {2}remote:/.test(line)) host = section === 'PATH' ? undefined : hostOf(line.slice(9).trim());
    const [, name, version] = /^ {4}(\S+) \(([^)]+)\)$/.exec(line) ?? [];
    // The version may include a platform: `nokogiri (1.16.0-x86_64-linux)`.
    if (name !== undefined && section !== 'PATH')
      packages.push({ name, version: version!.replace(/-.*$/, ''), line: index + 1, host });
    if (section === 'DEPENDENCIES') {
      const dependency = /^ {2}([^\s!(]+)/.exec(line)?.[1];
      if (dependency !== undefined) asked.set(dependency, null);
    }
    const [, sum] = section === 'CHECKSUMS' ? (/^ {2}(\S+ \([^)]+\))/.exec(line) ?? []) : [];
    if (sum !== undefined) checked.set(sum.replace(/-[^)]*\)$/, ')'), line.includes('sha256='));
  }
  if (section === '') throw new UnreadableFile('it has no section');
  for (const each of packages) {
    each.isDirect = asked.has(each.name);
    each.hasChecksum = checked.get(`${each.name} (${each.version})`);
  }
  const seen = new Set<string>();
  const distinct = packages.filter(
    ({ name, version }) => !seen.has(`${name} ${version}`) && seen.add(`${name} ${version}`),
  );
  return { packages: distinct, requirements: [], answers: new Set(asked.keys()) };
}
