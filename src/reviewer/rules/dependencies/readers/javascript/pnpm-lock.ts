import {
  type AskedThen,
  type DependencyFile,
  type LockedPackage,
  UnreadableFile,
} from '../../dependency-file.ts';
import { hostOf } from '../hosts.ts';
import { linesOf } from '../lines-of.ts';

const unquoted = (text: string) => text.replace(/^(['"])(.*)\1$/, '$2');
const kinds = new Set(['dependencies', 'devDependencies', 'optionalDependencies']);

type Mutable = { -readonly [Key in keyof LockedPackage]: LockedPackage[Key] };

/**
 * Parses `pnpm-lock.yaml`, versions 5 to 9. pnpm always formats it in the same way, so it is parsed by its indentation: a YAML
 * parser takes ten times as long.
 */
export function readPnpmLock(text: string): DependencyFile {
  if (!/^lockfileVersion:/m.test(text)) throw new UnreadableFile('it has no `lockfileVersion`');
  const packages: Mutable[] = [];
  const asked = new Map<string, Map<string, string | null>>();
  const direct = new Set<string>();
  const overridden = new Set<string>();
  let [section, folder, kind, name] = ['', '', '', ''];
  let current: Mutable | undefined;
  const ask = (by: string, what: string, range: string) => {
    const known = asked.get(by) ?? new Map<string, string | null>();
    asked.set(by, known.set(what, range));
  };
  const noteDirect = (by: string, version: string) => direct.add(`${by}@${version.replace(/[(_].*$/, '')}`);
  for (const { line: raw, number } of linesOf(text)) {
    const found = /^( *)('[^']*'|"[^"]*"|[^\s'"#-][^:]*(?::[^\s:][^:]*)*):(?: (.*))?$/.exec(raw.trimEnd());
    if (found === null) continue;
    const [, { length: depth }, quoted, value = ''] = found as unknown as [string, string, string, string?];
    const key = unquoted(quoted);
    if (depth === 0) {
      [section, folder, kind] = [key, '', kinds.has(key) ? key : ''];
      current = undefined;
    } else if (section === 'importers') {
      if (depth === 2) folder = key === '.' ? '' : key;
      else if (depth === 4) kind = key;
      else if (depth === 6 && kinds.has(kind)) {
        name = key;
        if (value !== '') noteDirect(name, unquoted(value));
      } else if (depth === 6 && kind === 'specifiers') ask(folder, key, unquoted(value));
      else if (depth === 8 && key === 'specifier') ask(folder, name, unquoted(value));
      else if (depth === 8 && key === 'version') noteDirect(name, unquoted(value));
    } else if (section === 'overrides') overridden.add(key.replace(/^.*>/, '').replace(/(?!^)@.*$/, ''));
    else if (section === 'specifiers') ask('', key, unquoted(value));
    else if (kind !== '') {
      if (depth === 2) {
        name = key;
        if (value !== '') noteDirect(name, unquoted(value));
      } else if (key === 'specifier') ask('', name, unquoted(value));
      else if (key === 'version') noteDirect(name, unquoted(value));
    } else if (section === 'packages' && depth === 2) {
      current = lockedPackage(key, number);
      if (current !== undefined) packages.push(current);
    } else if (section === 'packages' && depth === 4 && current !== undefined) {
      if (key === 'resolution') Object.assign(current, factsOf(value));
      else if (key === 'requiresBuild' && value === 'true') current.runsScript = true;
      // For optional packages, pnpm writes `requiresBuild` before it has looked at them.
      else if (key === 'optional' && value === 'true') current.runsScript = undefined;
      // Written for packages that are not from the registry.
      else if (key === 'version') current.version = unquoted(value);
    }
  }
  for (const each of packages) each.isDirect = direct.has(`${each.name}@${each.version}`);
  return {
    packages,
    requirements: [],
    overridden,
    ...(asked.size > 0 && { asked: asked as ReadonlyMap<string, AskedThen> }),
  };
}

/** Parses `/left-pad/1.3.0_peer`, `/left-pad@1.3.0(peer)`, `left-pad@1.3.0`, or `registry.host/left-pad/1.3.0`. */
function lockedPackage(key: string, line: number) {
  const plain = key.replace(/\(.*$/, '').replace(/^\//, '');
  const [, name, version] =
    /^((?:@[^/@]+\/)?[^/@]+)@([^/].*)$/.exec(plain) ??
    /^(?:[^/@]+\.[^/@]+\/)?((?:@[^/]+\/)?[^/]+)\/([^/_]+)(?:_.*)?$/.exec(plain) ??
    [];
  if (name === undefined || version === undefined || /^(?:file|link):/.test(version)) return undefined;
  return { name, version, line, host: hostOf(version) } as LockedPackage;
}

function factsOf(resolution: string): Partial<LockedPackage> {
  const tarball = /tarball: ([^,}\s]+)/.exec(resolution)?.[1];
  const repository = /repo: ([^,}\s]+)/.exec(resolution)?.[1];
  const host = hostOf(unquoted(tarball ?? repository ?? ''));
  const hasChecksum = /integrity:/.test(resolution)
    ? true
    : repository !== undefined || tarball !== undefined
      ? undefined
      : false;
  return { ...(host !== undefined && { host }), hasChecksum };
}
