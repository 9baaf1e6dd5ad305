import path from 'node:path';
import { isGeneratedPath, isGeneratedText } from '../change/file-kinds.ts';
import type { TreeView } from '../repository/tree-view.ts';
import type { CodeFacts, Definition, Import, Use } from './code-facts.ts';
import { nameOfExport } from './exported-names.ts';
import type { ImportResolver, Language } from './language.ts';
import { readFacts } from './read-facts.ts';
import type { ExportedName, Found, Resolution, Target } from './resolution.ts';
import { ResolvedImports } from './resolved-imports.ts';

const maxHops = 8;

/** The code of a tree: the facts of its files, each read once, and the definitions behind their names. */
export class RepositoryCode {
  readonly tree: TreeView;
  readonly language: Language;
  readonly resolver: ImportResolver;
  readonly #imports: ResolvedImports;
  readonly #facts = new Map<string, Promise<CodeFacts | undefined>>();
  readonly #generated = new Map<string, Promise<boolean>>();

  constructor(tree: TreeView, language: Language) {
    this.tree = tree;
    this.language = language;
    this.resolver = language.openResolver(tree);
    this.#imports = new ResolvedImports(tree, language, this.resolver);
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

  /** Whether the file is not written by hand. */
  isGenerated(path: string): Promise<boolean> {
    const known = this.#generated.get(path) ?? this.#looksGenerated(path);
    this.#generated.set(path, known);
    return known;
  }

  async #looksGenerated(path: string): Promise<boolean> {
    return isGeneratedPath(path) || isGeneratedText((await this.tree.read(path)) ?? '');
  }

  resolve(from: string, specifier: string): Promise<Resolution> {
    return this.#imports.resolve(from, specifier);
  }

  /** The files that share a namespace with a file, including itself. */
  async unit(path: string): Promise<readonly string[]> {
    return (await this.resolver.unit?.(path)) ?? [path];
  }

  /** What a file exports under a name. Follows re-exports, and adds each exported name on the way to the trail. */
  async exported(path: string, name: string, trail: ExportedName[] = [], hops = maxHops): Promise<Found> {
    if (hops === 0) return 'unknown';
    const given: Target[] = [];
    let isOpen = false;
    for (const file of await this.unit(path)) {
      const found = await this.#exportedBy(file, name, trail, hops);
      if (typeof found === 'object') given.push(found);
      else if (found === 'unknown') isOpen = true;
    }
    if (given.length > 0) return oneOf(given);
    const member = await this.resolver.memberFile?.(path, name);
    if (member !== undefined) return { path: member, name: '*', definition: null };
    return isOpen ? 'unknown' : 'missing';
  }

  async #exportedBy(path: string, name: string, trail: ExportedName[], hops: number): Promise<Found> {
    const facts = await this.facts(path);
    if (facts === undefined) return 'unknown';
    const own = facts.exports.find((each) => each.name === name);
    if (own !== undefined) {
      trail.push({ path, name });
      if (own.from !== null) return this.#through(path, own.from, own.imported!, trail, hops);
      return own.local === null
        ? { path, name, definition: own.definition ?? null }
        : this.#local(path, facts, own.local, trail, hops);
    }
    let isOpen = facts.hasOpenExports;
    for (const all of facts.exports.filter((each) => each.name === '*' && name !== 'default')) {
      const further: ExportedName[] = [];
      const found = await this.#through(path, all.from!, name, further, hops);
      if (typeof found === 'object') {
        trail.push({ path, name: nameOfExport(all) }, ...further);
        return found;
      }
      if (found === 'unknown') isOpen = true;
    }
    return isOpen ? 'unknown' : 'missing';
  }

  /** Resolves the first name of a use, through modules as far as possible. `members` are those accessed on the result. */
  async used(
    path: string,
    use: Use,
  ): Promise<{
    readonly found: Found;
    readonly members: readonly string[];
    /** The exported names on the way to the result. */
    readonly through: readonly ExportedName[];
  }> {
    const through: ExportedName[] = [];
    const facts = await this.facts(path);
    if (facts === undefined) return { found: 'unknown', members: use.members, through };
    let found =
      use.from === undefined
        ? await this.#local(path, facts, use.name, through, maxHops)
        : await this.#through(path, use.from, use.name, through, maxHops);
    let members: readonly string[] = use.members;
    // A member of a module is one of its exports.
    while (typeof found === 'object' && found.name === '*' && members.length > 0) {
      found = await this.exported(found.path, members[0]!, through);
      members = members.slice(1);
    }
    // If a CommonJS module assigns `module.exports`, its value is the module.
    if (typeof found === 'object' && found.name === '*' && use.members.length === 0) {
      const whole = await this.exported(found.path, 'module.exports', through);
      if (typeof whole === 'object') found = whole;
    }
    return { found, members, through };
  }

  /** The definition that a call refers to; undefined if it is not certain. */
  async called(path: string, use: Use): Promise<(Definition & { readonly path: string }) | undefined> {
    const { found, members } = await this.used(path, use);
    if (typeof found !== 'object' || found.definition === null) return undefined;
    if (members.length === 0) return { ...found.definition, path: found.path };
    return members.length === 1 ? this.member(found.path, found.definition, use) : undefined;
  }

  /**
   * The last member of a use, on a class or type, with the parameters that such a use passes; undefined if another member may be
   * meant.
   */
  async member(
    path: string,
    { name, fields = [] }: Definition,
    { members, of }: Use,
  ): Promise<(Definition & { readonly path: string }) | undefined> {
    const member = members.at(-1)!;
    if (fields.includes(member) || fields.includes('*')) return undefined;
    const given: Target[] = [];
    for (const file of await this.unit(path)) {
      const definitions = (await this.facts(file))?.definitions ?? [];
      const definition = definitions.find((each) => each.name === `${name}.${member}`);
      if (definition !== undefined) given.push({ path: file, name: member, definition });
    }
    if (given.length === 0) return undefined;
    const found = oneOf(given);
    const { receiver, parameters } = found.definition!;
    if (receiver === 'object' && of === undefined) return undefined;
    const isFirst = receiver === 'parameter' && of !== undefined;
    return {
      ...found.definition!,
      parameters: isFirst ? (parameters?.slice(1) ?? null) : parameters,
      path: found.path,
    };
  }

  /** Whether a use gets its name from a single, unguarded import whose file is certainly missing. */
  async isLost(path: string, { name, from }: Use): Promise<boolean> {
    const brought = (await this.facts(path))?.imports.filter(({ local }) => local === name) ?? [];
    const specifiers = from === undefined ? brought.map((each) => each.from) : [from];
    if (specifiers.length !== 1 || brought.some(({ isGuarded }) => isGuarded)) return false;
    const target = await this.resolve(path, specifiers[0]!);
    return target.kind === 'missing' && target.mayBeElsewhere !== true;
  }

  /** Why an import cannot be resolved, as text; null if it can, or if that is unknown. */
  async importFault(file: string, from: string, imported: string): Promise<string | null> {
    const target = await this.resolve(file, from);
    if (target.kind === 'missing')
      return target.mayBeElsewhere === true ? null : `There is no file \`${from}\``;
    if (target.kind === 'nowhere') return `There is no module or package \`${from}\``;
    if (target.kind === 'package')
      return target.isDeclared ? null : `\`${target.name}\` is not declared in any manifest of this package`;
    if (target.kind !== 'file' || imported === '*' || imported === '') return null;
    const found = await this.#through(file, from, imported, [], maxHops);
    if (found !== 'missing' || (await this.#isMadePart(target.path, imported))) return null;
    return `\`${target.path}\` does not provide \`${imported}\``;
  }

  /** Whether a name of a package may be a submodule that a build creates. */
  async #isMadePart(file: string, name: string): Promise<boolean> {
    if (this.resolver.memberFile === undefined) return false;
    return this.#imports.isIgnored(path.posix.join(file, '..', name + this.language.pathspecs[0]!.slice(1)));
  }

  async #through(
    path: string,
    from: string,
    name: string,
    trail: ExportedName[],
    hops: number,
  ): Promise<Found> {
    const target = await this.resolve(path, from);
    // A missing file is reported by itself, so its names are unknown. For packages of several files (Go), the names are reported.
    if (target.kind === 'missing' && this.resolver.unit !== undefined) return 'missing';
    if (target.kind !== 'file') return 'unknown';
    if (name === '*') return { path: target.path, name, definition: null };
    if (target.path === path) return this.#ownMember(path, from, name);
    const found = await this.exported(target.path, name, trail, hops - 1);
    if (target.isOneOfSeveral !== true) return found;
    return typeof found === 'object' ? withoutParameters(found) : 'unknown';
  }

  /** `from . import cart` in the file of the package itself imports a submodule; whether other names exist by then is unknown. */
  async #ownMember(path: string, from: string, name: string): Promise<Found> {
    const own = await this.resolver.memberFile?.(path, name);
    if (own !== undefined) return { path: own, name: '*', definition: null };
    const facts = await this.facts(path);
    const isElsewhere =
      facts === undefined ||
      facts.hasOpenExports ||
      facts.definitions.some((each) => each.name === name) ||
      facts.imports.some((each) =>
        each.local === null ? each.imported === '*' : each.local === name && each.from !== from,
      );
    return isElsewhere ? 'unknown' : 'missing';
  }

  /** Resolves an imported name. With several different imports it is ambiguous; with a guarded one it is not called missing. */
  async #brought(
    path: string,
    imports: readonly Import[],
    trail: ExportedName[],
    hops: number,
  ): Promise<Found> {
    const [first] = imports as [Import];
    if (imports.some(({ from, imported }) => from !== first.from || imported !== first.imported))
      return 'unknown';
    const found = await this.#through(path, first.from, first.imported, trail, hops);
    return found === 'missing' && imports.some(({ isGuarded }) => isGuarded) ? 'unknown' : found;
  }

  async #local(
    path: string,
    facts: CodeFacts,
    name: string,
    trail: ExportedName[],
    hops: number,
  ): Promise<Found> {
    const definition = facts.definitions.find((each) => each.name === name);
    const brought = facts.imports.filter(({ local }) => local === name);
    if (brought.length > 0) return this.#brought(path, brought, trail, hops);
    const shared = ((await this.resolver.unit?.(path)) ?? []).filter((file) => file !== path);
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

/** Of several definitions, such as one per target system, only the name is certain. */
function oneOf(given: readonly Target[]): Target {
  const [first] = given as [Target];
  return given.length === 1 ? first : withoutParameters(first);
}

const withoutParameters = (target: Target): Target => ({
  ...target,
  definition: target.definition && { ...target.definition, parameters: null },
});
