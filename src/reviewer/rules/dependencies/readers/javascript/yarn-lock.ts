import {
  type AskedThen,
  type DependencyFile,
  type LockedPackage,
  UnreadableFile,
} from '../../dependency-file.ts';
import { hostOf } from '../hosts.ts';
import { linesOf } from '../lines-of.ts';

interface Block {
  /** The requirements that the block resolves, such as `left-pad@^1.0.0`. */
  readonly asking: readonly string[];
  readonly line: number;
  readonly fields: Map<string, string>;
  readonly dependencies: Map<string, string>;
}

/** Parses `yarn.lock` of Yarn 1, and of later versions, which write a format similar to YAML. */
export function readYarnLock(text: string): DependencyFile {
  const packages: LockedPackage[] = [];
  const answers = new Set<string>();
  const asked = new Map<string, AskedThen>();
  forEachBlock(text, ({ asking, line, fields, dependencies }) => {
    if (asking[0] === '__metadata') return;
    const version = fields.get('version');
    if (version === undefined) throw new UnreadableFile(`line ${line} is not the start of a package`);
    const resolution = fields.get('resolution');
    const folder = /@workspace:(.*)$/.exec(resolution ?? '')?.[1];
    if (folder !== undefined) {
      asked.set(folder === '.' ? '' : folder, dependencies);
      return;
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
  });
  const isLater = asked.size > 0;
  return { packages, requirements: [], ...(isLater ? { asked } : { answers }) };
}

/** The name in a requirement: `@s/name` for `@s/name@^1` and `alias@npm:@s/name@^1`. */
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
  // A package for other platforms may have no checksum, if it was never fetched where the file was made.
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

const unquoted = (text: string) =>
  text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;

/** Calls `visit` for each block, in order. */
function forEachBlock(text: string, visit: (block: Block) => void): void {
  let block: Block | undefined;
  let isInDependencies = false;
  for (const { line: raw, number } of linesOf(text)) {
    const line = raw.trimEnd();
    if (line === '' || line.startsWith('#')) continue;
    if (!line.startsWith(' ')) {
      if (!line.endsWith(':')) throw new UnreadableFile(`line ${number} is not the start of a package`);
      if (block !== undefined) visit(block);
      block = { asking: askingIn(line), line: number, fields: new Map(), dependencies: new Map() };
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
  if (block !== undefined) visit(block);
}

function askingIn(line: string): string[] {
  return line
    .slice(0, -1)
    .split(', ')
    .flatMap((each) => unquoted(each).replace(/^"|"$/g, '').split(', '));
}
