import {
  type AskedThen,
  type DependencyFile,
  type LockedPackage,
  UnreadableFile,
} from '../../dependency-file.ts';
import { hostOf } from '../hosts.ts';

interface Block {
  /** `left-pad@^1.0.0` of each that asks. */
  readonly asking: readonly string[];
  readonly line: number;
  readonly fields: Map<string, string>;
  readonly dependencies: Map<string, string>;
}

/** `yarn.lock`, of the first Yarn and of later ones, which write something like YAML. */
export function readYarnLock(text: string): DependencyFile {
  const blocks = readBlocks(text);
  const packages: LockedPackage[] = [];
  const answers = new Set<string>();
  const asked = new Map<string, AskedThen>();
  for (const { asking, line, fields, dependencies } of blocks) {
    if (asking[0] === '__metadata') continue;
    const version = fields.get('version');
    if (version === undefined) throw new UnreadableFile(`line ${line} begins no package`);
    const resolution = fields.get('resolution');
    const folder = /@workspace:(.*)$/.exec(resolution ?? '')?.[1];
    if (folder !== undefined) {
      asked.set(folder === '.' ? '' : folder, dependencies);
      continue;
    }
    for (const each of asking) answers.add(each.replace(/(?!^)@npm:(?!@?[a-z0-9][^@]*@)/i, '@'));
    const name = nameIn(resolution ?? asking[0]!);
    const isLocal = /@(?:file|link|portal):/.test(resolution ?? asking[0]!);
    if (name !== undefined && !isLocal)
      packages.push({
        name,
        version,
        line,
        ...(resolution === undefined ? factsOf(fields) : laterFacts(fields, resolution)),
      });
  }
  const isLater = asked.size > 0;
  return { packages, requirements: [], ...(isLater ? { asked } : { answers }) };
}

/** `@s/name@^1` and `alias@npm:@s/name@^1` are about `@s/name`. */
function nameIn(asking: string): string | undefined {
  return /^[^@]*@?[^@]*@npm:(@?[^@]+)@/.exec(asking)?.[1] ?? /^(@?[^@]+)@/.exec(asking)?.[1];
}

function factsOf(fields: ReadonlyMap<string, string>): Partial<LockedPackage> {
  const resolved = fields.get('resolved');
  const isArchive = resolved !== undefined && /^https?:.*\.t(?:ar\.)?gz(?:[?#]|$)/.test(resolved);
  const hasHash = fields.has('integrity') || /#[0-9a-f]{40}/.test(resolved ?? '');
  return { host: hostOf(resolved), hasChecksum: hasHash ? true : isArchive ? false : undefined };
}

function laterFacts(fields: ReadonlyMap<string, string>, resolution: string): Partial<LockedPackage> {
  const archive = /__archiveUrl=([^&]+)/.exec(resolution)?.[1];
  const host = hostOf(archive === undefined ? resolution.replace(/^@?[^@]+@/, '') : decode(archive));
  // What is for other systems was perhaps never fetched where the file was made.
  const isExpected = /@npm:/.test(resolution) && !fields.has('conditions');
  return { host, hasChecksum: fields.has('checksum') ? true : isExpected ? false : undefined };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const unquoted = (text: string) => text.replace(/^"(.*)"$/, '$1');

function readBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  let isInDependencies = false;
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trimEnd();
    if (line === '' || line.startsWith('#')) continue;
    const block = blocks.at(-1);
    if (!line.startsWith(' ')) {
      if (!line.endsWith(':')) throw new UnreadableFile(`line ${index + 1} begins no package`);
      const asking = line
        .slice(0, -1)
        .split(', ')
        .flatMap((each) => unquoted(each).replace(/^"|"$/g, '').split(', '));
      blocks.push({ asking, line: index + 1, fields: new Map(), dependencies: new Map() });
      isInDependencies = false;
    } else if (line[2] !== ' ' && block !== undefined) {
      const [, key = '', value = ''] = /^ {2}("[^"]+"|[^\s:]+):?\s*(.*)$/.exec(line) ?? [];
      isInDependencies = key === 'dependencies';
      block.fields.set(key, unquoted(value));
    } else if (isInDependencies && block !== undefined) {
      const [, key = '', value = ''] = /^ {4}("[^"]+"|[^\s:]+):?\s+(.*)$/.exec(line) ?? [];
      block.dependencies.set(unquoted(key), unquoted(value).replace(/^npm:(?!@?[a-z0-9][^@]*@)/i, ''));
    }
  }
  return blocks;
}
