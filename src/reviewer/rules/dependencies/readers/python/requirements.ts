import type { DependencyFile, LockedPackage, Requirement } from '../../dependency-file.ts';
import { hostOf } from '../hosts.ts';
import { readRequirement } from './python-name.ts';

/** Parses `requirements.txt`. Pinned versions are packages, and the others are requirements. */
export function readRequirements(text: string): DependencyFile {
  const packages: LockedPackage[] = [];
  const requirements: Requirement[] = [];
  const lines = text.split('\n');
  for (let index = 0; index < lines.length; index += 1) {
    const line = index + 1;
    let whole = lines[index]!.trimEnd();
    while (whole.endsWith('\\') && index + 1 < lines.length) {
      index += 1;
      whole = `${whole.slice(0, -1)} ${lines[index]!.trim()}`;
    }
    const said = whole.replace(/(?:^|\s)#.*$/, '');
    const read = readRequirement(said.replace(/\s--\w.*$/s, ''));
    if (read === undefined) continue;
    const { name, range, address } = read;
    const version = /^===?\s*([^\s,*]+)$/.exec(range)?.[1];
    if (version === undefined) requirements.push({ name, range, line });
    else
      packages.push({
        name,
        version,
        line,
        isDirect: isDirect(lines, index),
        hasChecksum: /\s--hash[=\s]/.test(said),
        host: hostOf(address),
      });
  }
  return { packages, requirements };
}

/**
 * Whether a package is a direct dependency. Tools that generate such files write `# via` and its dependents beside or below it.
 */
function isDirect(lines: readonly string[], last: number): boolean {
  let says = lines[last]!.split(' #')[1] ?? '';
  for (let index = last + 1; /^\s+#/.test(lines[index] ?? ''); index += 1) says += lines[index]!;
  return !/\bvia\b/.test(says) || /\s(?:-r|-c)\s|\.in\b|\.toml\b|setup\.(?:py|cfg)/.test(says);
}
