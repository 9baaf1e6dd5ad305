import type { DependencyFile, LockedPackage } from '../dependency-file.ts';

const used = /^\s*(?:-\s+)?["']?uses["']?\s*:\s*(["']?)([\w.-]+\/[\w./-]+)@([^\s"'#]+)\1/;

/** Reads the actions that a workflow or another action uses. Actions in its own repository have no version, and are left out. */
export function readActions(text: string): DependencyFile {
  const packages = text.split('\n').flatMap((line, index): LockedPackage[] => {
    const [, , name, version] = used.exec(line) ?? [];
    return name === undefined
      ? []
      : [{ name: name.toLowerCase(), version: version!, line: index + 1, isDirect: true }];
  });
  return { packages, requirements: [] };
}
