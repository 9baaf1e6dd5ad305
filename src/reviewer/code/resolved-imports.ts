import path from 'node:path';
import type { TreeView } from '../repository/tree-view.ts';
import { IgnoredFiles } from '../repository/trees/ignored-files.ts';
import type { ImportResolver, Language } from './language.ts';
import type { Resolution } from './resolution.ts';

/** The targets of imports in a tree, each resolved once for all files of a folder with the same extension. */
export class ResolvedImports {
  readonly #tree: TreeView;
  readonly #language: Language;
  readonly #resolver: ImportResolver;
  readonly #ignored: IgnoredFiles;
  readonly #resolved = new Map<string, Promise<Resolution>>();

  constructor(tree: TreeView, language: Language, resolver: ImportResolver) {
    this.#tree = tree;
    this.#language = language;
    this.#resolver = resolver;
    this.#ignored = new IgnoredFiles(tree);
  }

  resolve(from: string, specifier: string): Promise<Resolution> {
    const key = `${path.posix.dirname(from)}\0${path.posix.extname(from)}\0${specifier}`;
    const known = this.#resolved.get(key) ?? this.#resolve(from, specifier);
    this.#resolved.set(key, known);
    return known;
  }

  /** Whether Git ignores the file, so that a build may create it. */
  isIgnored(file: string): Promise<boolean> {
    return this.#ignored.isIgnored(file);
  }

  /** Files that Git ignores, and files behind a link or in a submodule, are not called missing. */
  async #resolve(from: string, specifier: string): Promise<Resolution> {
    const found = await this.#resolver.resolve(from, specifier);
    if (found.kind !== 'missing') return found;
    // TypeScript imports a file by the name of its build output.
    const bare = found.wanted.replace(/\.[cm]?jsx?$/, '');
    const { pathspecs } = this.#language;
    const candidates = [
      found.wanted,
      ...pathspecs.flatMap((each) => [found.wanted + each.slice(1), bare + each.slice(1)]),
      path.posix.join(found.wanted, pathspecs[0]!.replace('*', 'index')),
    ];
    const links = await this.#tree.links();
    for (const candidate of candidates)
      if (isBehind(links, candidate) || (await this.isIgnored(candidate))) return { kind: 'unknown' };
    return found;
  }
}

/** Whether the file, or a folder that it would be in, is a link or a submodule. */
function isBehind(links: ReadonlySet<string>, file: string): boolean {
  if (links.size === 0) return false;
  const parts = file.split('/');
  return parts.some((_, index) => links.has(parts.slice(0, index + 1).join('/')));
}
