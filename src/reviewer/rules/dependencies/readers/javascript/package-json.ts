import type { DependencyFile, Requirement } from '../../dependency-file.ts';
import { forEachKey, readJson, recordOf, textOf } from '../json-keys.ts';

/**
 * The lists of packages that npm installs. Peer dependencies are left out: dependents install them. The last list takes
 * precedence.
 */
export const askingKinds = ['devDependencies', 'dependencies', 'optionalDependencies'];

export function readPackageJson(text: string): DependencyFile {
  const manifest = readJson(text);
  const lines = new Map<string, number>();
  forEachKey(text, ([kind, name, deeper], line) => {
    if (typeof name === 'string' && deeper === undefined) lines.set(`${kind}\0${name}`, line);
  });
  const requirements = new Map<string, Requirement>();
  for (const kind of askingKinds)
    for (const [name, range] of Object.entries(recordOf(manifest[kind])))
      requirements.set(name, { name, range: textOf(range) ?? '', line: lines.get(`${kind}\0${name}`) ?? 1 });
  const pnpm = recordOf(manifest.pnpm);
  const overrides = [manifest.overrides, manifest.resolutions, pnpm.overrides].flatMap((each) =>
    Object.keys(recordOf(each)),
  );
  return {
    packages: [],
    requirements: [...requirements.values()],
    overridden: new Set(overrides.map(overriddenName)),
    mentioned: new Set(Object.keys(recordOf(manifest.peerDependencies))),
    ownName: textOf(manifest.name),
  };
}

/** The name in a key of overrides: `@s/name` for `**&#47;@s/name@npm:^1`. */
function overriddenName(key: string): string {
  const last = /(?:@[^/@>]+\/)?[^/@>]+(?:@[^/>]*)?$/.exec(key)?.[0] ?? key;
  return last.replace(/(?!^)@.*$/, '');
}
