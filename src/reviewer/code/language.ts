import type { TreeView } from '../repository/tree-view.ts';
import type { CodeFacts } from './code-facts.ts';
import type { Resolution } from './resolution.ts';

/** Finds what imports of one tree lead to. */
export interface ImportResolver {
  resolve(from: string, specifier: string): Promise<Resolution>;
  /** The files that share their names with a file, itself included; by default, it alone. */
  unit?(path: string): Promise<readonly string[]>;
  /** The file that a name of a file stands for, where files contain others; undefined where it is none. */
  memberFile?(path: string, name: string): Promise<string | undefined>;
  /** Whether the program declares a name that all of its files have without asking for it. */
  hasAmbientName?(name: string): Promise<boolean>;
}

/** A language whose references can be resolved. */
export interface Language {
  readonly name: string;
  covers(path: string): boolean;
  /** What those who use a file name to get it: itself, or its folder. */
  addressOf(path: string): string;
  /** Files of other kinds that its files can import; absent where there are none. */
  readonly assets?: RegExp;
  /** Where its files are, for searches. */
  readonly pathspecs: readonly string[];
  /** Whether a name needs no definition, because programs of the language have it from their surroundings. */
  isGlobal(name: string): boolean;
  /** Whether a program can declare names that all of its files have without asking for them. */
  readonly hasAmbientNames: boolean;
  /** Whether a call that does not fit is refused before the program runs, or fails for certain. */
  isStrict(path: string): boolean;
  /** Whether names that a file only brings from elsewhere are meant for others, too. */
  handsOn(path: string): boolean;
  /** Undefined where the text does not parse. Uses of `formerNames`, which the file no longer defines, are read too. */
  readFacts(path: string, text: string, formerNames?: readonly string[]): Promise<CodeFacts | undefined>;
  /** The packages that a line of a manifest may name, as imports write them; none where the path is that of no manifest. */
  packagesNamed(path: string, line: string): string[];
  openResolver(tree: TreeView): ImportResolver;
}
