import type { TreeView } from '../repository/tree-view.ts';
import type { CodeFacts } from './code-facts.ts';
import type { Resolution } from './resolution.ts';

/** Resolves the imports of one tree. */
export interface ImportResolver {
  resolve(from: string, specifier: string): Promise<Resolution>;
  /** The files that share a namespace with a file, including itself; without this method, only the file itself. */
  unit?(path: string): Promise<readonly string[]>;
  /** The file behind a name that a file does not define itself, such as a submodule; undefined if there is none. */
  memberFile?(path: string, name: string): Promise<string | undefined>;
  /** Whether the program declares a global name, which all of its files can use without an import. */
  hasAmbientName?(name: string): Promise<boolean>;
}

/** A language whose references can be resolved. */
export interface Language {
  readonly name: string;
  covers(path: string): boolean;
  /** The path that imports of the file refer to: the file itself, or its folder. */
  addressOf(path: string): string;
  /** Files of other kinds that its files can import; absent if there are none. */
  readonly assets?: RegExp;
  /** Git pathspecs of its files, for searches. */
  readonly pathspecs: readonly string[];
  /** Whether a name needs no definition, because the language or its runtime provides it. */
  isGlobal(name: string): boolean;
  /** Whether a program can declare global names, which all of its files can use without an import. */
  readonly hasAmbientNames: boolean;
  /** Whether a call with wrong arguments is rejected before the program runs, or certainly fails. */
  isStrict(path: string): boolean;
  /** Whether other files are meant to import names that the file itself only imports. */
  reexports(path: string): boolean;
  /** Undefined if the text does not parse. Uses of `formerNames`, which the file may no longer define, are included. */
  readFacts(path: string, text: string, formerNames?: readonly string[]): Promise<CodeFacts | undefined>;
  /** The packages that a line of a manifest may name, as imports write them; none if the path is not that of a manifest. */
  packagesNamed(path: string, line: string): string[];
  openResolver(tree: TreeView): ImportResolver;
}
