import path from 'node:path';
import { isGeneratedPath, isGeneratedText } from '../change/file-kinds.ts';
import type { TreeView } from '../repository/tree-view.ts';
import { IgnoredFiles } from '../repository/trees/ignored-files.ts';
import type { CodeFacts, Definition, Import, Use } from './code-facts.ts';
import type { ImportResolver, Language } from './language.ts';
import { readFacts } from './read-facts.ts';
import type { Resolution } from './resolution.ts';

/** The definition that a name stands for. */
export interface Target {
  readonly path: string;
  readonly name: string;
  /** Null where the file gives the name, but what it is cannot be told. */
  readonly definition: Definition | null;
}

/** What a name of a file leads to: a definition, nothing although all that could give it is known, or neither can be told. */
export type Found = Target | 'missing' | 'unknown';

const maxHops = 8;

/** The code of a tree: facts of files, each read once, and what their names stand for. */
export class RepositoryCode {
  readonly tree: TreeView;
  readonly language: Language;
  readonly #resolver: ImportResolver;
  readonly #ignored: IgnoredFiles;
  readonly #resolved = new Map<string, Promise<Resolution>>();
  readonly #facts = new Map<string, Promise<CodeFacts | undefined>>();
  readonly #generated = new Map<string, Promise<boolean>>();

  constructor(tree: TreeView, language: Language) {
    this.tree = tree;
    this.language = language;
    this.#resolver = language.openResolver(tree);
    this.#ignored = new IgnoredFiles(tree);
  }

  facts(path: string): Promise<CodeFacts | undefined> {
    const known = this.#facts.get(path) ?? this.#read(path);
    this.#facts.set(path, known);
    return known;
  }

  async #read(path: string): Promise<CodeFacts | undefined> {
    if (!this.language.covers(path)) return undefined;
    const text = await this.tree.read(path);
    return text === undefined ? undefined : readFacts(this.language, path, text);
  }

  /** Whether nobody writes the file by hand. */
  isGenerated(path: string): Promise<boolean> {
    const known = this.#generated.get(path) ?? this.#looksGenerated(path);
    this.#generated.set(path, known);
    return known;
  }

  async #looksGenerated(path: string): Promise<boolean> {
    return isGeneratedPath(path) || isGeneratedText((await this.tree.read(path)) ?? '');
  }

  /** Where an import leads; files of one kind in one folder lead to the same. */
  resolve(from: string, specifier: string): Promise<Resolution> {
    const key = `${path.posix.dirname(from)}\0${path.posix.extname(from)}\0${specifier}`;
    const known = this.#resolved.get(key) ?? this.#resolve(from, specifier);
    this.#resolved.set(key, known);
    return known;
  }

  /** What a build makes, and Git ignores, cannot be called missing, nor what may be behind a link or in a submodule. */
  async #resolve(from: string, specifier: string): Promise<Resolution> {
    const found = await this.#resolver.resolve(from, specifier);
    if (found.kind !== 'missing') return found;
    // TypeScript names the file that a build makes of it.
    const bare = found.wanted.replace(/\.[cm]?jsx?$/, '');
    const candidates = [
      found.wanted,
      ...this.language.pathspecs.flatMap((each) => [found.wanted + each.slice(1), bare + each.slice(1)]),
      path.posix.join(found.wanted, this.language.pathspecs[0]!.replace('*', 'index')),
    ];
    const links = await this.tree.links();
    for (const candidate of candidates)
      if (isBehind(links, candidate) || (await this.#ignored.isIgnored(candidate)))
        return { kind: 'unknown' };
    return found;
  }

  /** What others get from a file by this name, through files that only hand it on. */
  async exported(path: string, name: string, hops = maxHops): Promise<Found> {
    if (hops === 0) return 'unknown';
    const given: Target[] = [];
    let isOpen = false;
    for (const file of (await this.#resolver.unit?.(path)) ?? [path]) {
      const found = await this.#exportedBy(file, name, hops);
      if (typeof found === 'object') given.push(found);
      else if (found === 'unknown') isOpen = true;
    }
    if (given.length > 0) return oneOf(given);
    const member = await this.#resolver.memberFile?.(path, name);
    if (member !== undefined) return { path: member, name: '*', definition: null };
    return isOpen ? 'unknown' : 'missing';
  }

  async #exportedBy(path: string, name: string, hops: number): Promise<Found> {
    const facts = await this.facts(path);
    if (facts === undefined) return 'unknown';
    const own = facts.exports.find((each) => each.name === name);
    if (own !== undefined) {
      if (own.from !== null) return this.#through(path, own.from, own.imported!, hops);
      return own.local === null
        ? { path, name, definition: null }
        : this.#local(path, facts, own.local, hops);
    }
    let isOpen = facts.hasOpenExports;
    for (const { from } of facts.exports.filter((each) => each.name === '*' && name !== 'default')) {
      const found = await this.#through(path, from!, name, hops);
      if (typeof found === 'object') return found;
      if (found === 'unknown') isOpen = true;
    }
    return isOpen ? 'unknown' : 'missing';
  }

  /** What the name that a use begins with stands for, and which of the use's members are asked of that. */
  async used(
    path: string,
    use: Use,
  ): Promise<{ readonly found: Found; readonly members: readonly string[] }> {
    const facts = await this.facts(path);
    if (facts === undefined) return { found: 'unknown', members: use.members };
    let found =
      use.from === undefined
        ? await this.#local(path, facts, use.name, maxHops)
        : await this.#through(path, use.from, use.name, maxHops);
    let members: readonly string[] = use.members;
    // What is asked of a whole module is one of its names.
    while (typeof found === 'object' && found.name === '*' && members.length > 0) {
      found = await this.exported(found.path, members[0]!);
      members = members.slice(1);
    }
    return { found, members };
  }

  /** The definition behind a call, where it is certain. */
  async called(path: string, use: Use): Promise<(Definition & { readonly path: string }) | undefined> {
    const { found, members } = await this.used(path, use);
    if (typeof found !== 'object' || found.definition === null) return undefined;
    const name = [found.definition.name, ...members].join('.');
    const definition = (await this.facts(found.path))?.definitions.find((each) => each.name === name);
    if (definition === undefined) return undefined;
    return {
      ...definition,
      parameters: members.length === 0 ? found.definition.parameters : definition.parameters,
      path: found.path,
    };
  }

  /** Whether the file that a use gets its name from is not there, although nothing speaks for its absence. */
  async isLost(path: string, { name, from }: Use): Promise<boolean> {
    const brought = (await this.facts(path))?.imports.filter(({ local }) => local === name) ?? [];
    const specifiers = from === undefined ? brought.map((each) => each.from) : [from];
    if (specifiers.length !== 1 || brought.some(({ isGuarded }) => isGuarded)) return false;
    const target = await this.resolve(path, specifiers[0]!);
    return target.kind === 'missing' && target.mayBeElsewhere !== true;
  }

  /** Why an import leads nowhere, for people; null where it leads somewhere, or where that cannot be told. */
  async importFault(path: string, from: string, imported: string): Promise<string | null> {
    const target = await this.resolve(path, from);
    if (target.kind === 'missing')
      return target.mayBeElsewhere === true ? null : `There is no file \`${from}\``;
    if (target.kind === 'package')
      return target.isDeclared ? null : `\`${target.name}\` is in no manifest of this package`;
    if (target.kind !== 'file' || imported === '*' || imported === '') return null;
    const found = await this.exported(target.path, imported);
    return found === 'missing' ? `\`${target.path}\` has no \`${imported}\`` : null;
  }

  async #through(path: string, from: string, name: string, hops: number): Promise<Found> {
    const target = await this.resolve(path, from);
    // A file that is gone is a fault of its own; a package of many files is gone with the last of its names.
    if (target.kind === 'missing' && this.#resolver.unit !== undefined) return 'missing';
    if (target.kind !== 'file') return 'unknown';
    if (name === '*') return { path: target.path, name, definition: null };
    return this.exported(target.path, name, hops - 1);
  }

  /** What is got from several places is one or the other; what somebody expects to be absent is not missing. */
  async #brought(path: string, imports: readonly Import[], hops: number): Promise<Found> {
    const [first] = imports as [Import];
    if (imports.some(({ from, imported }) => from !== first.from || imported !== first.imported))
      return 'unknown';
    const found = await this.#through(path, first.from, first.imported, hops);
    return found === 'missing' && imports.some(({ isGuarded }) => isGuarded) ? 'unknown' : found;
  }

  async #local(path: string, facts: CodeFacts, name: string, hops: number): Promise<Found> {
    const definition = facts.definitions.find((each) => each.name === name);
    const brought = facts.imports.filter(({ local }) => local === name);
    if (brought.length > 0) return this.#brought(path, brought, hops);
    const shared = ((await this.#resolver.unit?.(path)) ?? []).filter((file) => file !== path);
    const given: Target[] = definition === undefined ? [] : [{ path, name, definition }];
    let isOpen = facts.imports.some(({ local, imported }) => local === null && imported === '*');
    for (const file of shared) {
      const other = await this.facts(file);
      const same = other?.definitions.find((each) => each.name === name);
      if (same !== undefined) given.push({ path: file, name, definition: same });
      if (other === undefined) isOpen = true;
    }
    if (given.length > 0) return oneOf(given);
    return isOpen || this.language.isGlobal(name) ? 'unknown' : 'missing';
  }
}

/** Whether the file, or a folder that it would be in, is a link or a submodule. */
function isBehind(links: ReadonlySet<string>, file: string): boolean {
  if (links.size === 0) return false;
  const parts = file.split('/');
  return parts.some((_, index) => links.has(parts.slice(0, index + 1).join('/')));
}

/** Of several, such as one for each system that a program is built for, nothing is certain but the name. */
function oneOf(given: readonly Target[]): Target {
  const [first] = given as [Target];
  return given.length === 1
    ? first
    : { ...first, definition: first.definition && { ...first.definition, parameters: null } };
}
