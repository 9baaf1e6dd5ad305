import { isFixture, isForDevelopers, isGeneratedPath, isMinified, isTest } from '../../change/file-kinds.ts';
import { go } from '../../code/go/go.ts';
import { javascript } from '../../code/javascript/javascript.ts';
import type { Language } from '../../code/language.ts';
import { python } from '../../code/python/python.ts';
import { RepositoryCode } from '../../code/repository-code.ts';
import type { TreeView } from '../../repository/tree-view.ts';
import { FlowRun } from './engine/run.ts';
import type { Hit } from './engine/value.ts';
import type { FlowFile } from './form.ts';
import { translateGo } from './languages/go/translate-go.ts';
import { translateJavaScript } from './languages/javascript/translate-javascript.ts';
import { translatePython } from './languages/python/translate-python.ts';
import { goTable } from './tables/go.ts';
import { javascriptTable } from './tables/javascript.ts';
import type { LanguageTable } from './tables/model.ts';
import { pythonTable } from './tables/python.ts';

interface FlowLanguage {
  readonly language: Language;
  readonly table: LanguageTable;
  translate(path: string, text: string): Promise<FlowFile | undefined>;
  /** A text without any of these words needs no translation: nothing can be found in it. */
  readonly words: RegExp;
}

export const flowLanguages: readonly FlowLanguage[] = [
  {
    language: javascript,
    table: javascriptTable,
    translate: translateJavaScript,
    words:
      /child_process|exec|spawn|shell|eval|Function|\bvm\b|query|raw|req\b|request|ctx|context|fs\b|innerHTML|dangerously|location|RegExp|[=(,:]\s*\/[^/*\s]|\]\s*=[^=]/,
  },
  {
    language: python,
    table: pythonTable,
    translate: translatePython,
    words:
      /subprocess|os\.(?:system|popen)|exec|eval|request|open\(|pickle|yaml|template|redirect|sys\.argv|pexpect|commands|return/,
  },
  { language: go, table: goTable, translate: translateGo, words: /\bfunc\b/ },
];

const languageOf = (path: string) => flowLanguages.find(({ language }) => language.covers(path));

const maxLength = 400_000;
const maxImports = 40;
/** The limit of other files in a package. */
const maxBeside = 100;

/** Whether the flows of a file matter. Tests, and files that only developers run, are left out. */
export function isFollowed(path: string): boolean {
  return (
    languageOf(path) !== undefined &&
    !isTest(path) &&
    !isFixture(path) &&
    !isForDevelopers(path) &&
    !isGeneratedPath(path) &&
    !/\.d\.[cm]?ts$/.test(path)
  );
}

interface Found {
  readonly hits: readonly Hit[];
  readonly isWhole: boolean;
}

/** Follows values through files of one tree. */
export class FlowFinder {
  readonly #tree: TreeView;
  readonly #files = new Map<string, Promise<FlowFile | undefined>>();
  readonly #found = new Map<string, Promise<Found>>();
  readonly #code = new Map<Language, RepositoryCode>();

  constructor(tree: TreeView) {
    this.#tree = tree;
  }

  /**
   * Finds values that reach sinks from this file, in it or in its imports. `isWhole` is false if a limit ended the work early.
   */
  find(path: string): Promise<Found> {
    const known = this.#found.get(path) ?? this.#find(path);
    this.#found.set(path, known);
    return known;
  }

  async #find(path: string): Promise<Found> {
    const own = languageOf(path);
    const root = await this.#file(path);
    if (own === undefined || root === undefined) return { hits: [], isWhole: true };
    const alone = this.#run(own, root, { imported: new Map(), beside: [] });
    // Only functions that get untrusted values are worth reading.
    const names = alone.wantedNames;
    const beside = names.size === 0 ? [] : await this.#defining(own, path, names);
    const imported = new Map<string, readonly FlowFile[]>();
    for (const specifier of [...alone.wanted].slice(0, maxImports)) {
      const files = await this.#imported(own, path, specifier, names);
      if (files.length > 0) imported.set(specifier, files);
    }
    return imported.size + beside.length === 0 ? alone : this.#run(own, root, { imported, beside });
  }

  #run(
    { table }: FlowLanguage,
    root: FlowFile,
    around: { readonly imported: ReadonlyMap<string, readonly FlowFile[]>; readonly beside: FlowFile[] },
  ) {
    const run = new FlowRun({
      root,
      beside: around.beside,
      imported: (from, specifier) => (from === root ? (around.imported.get(specifier) ?? []) : []),
      tableOf: () => table,
    });
    const hits = run.find();
    return { hits, isWhole: run.isWhole, wanted: run.wanted, wantedNames: run.wantedNames };
  }

  #file(path: string): Promise<FlowFile | undefined> {
    const known = this.#files.get(path) ?? this.#translate(path);
    this.#files.set(path, known);
    return known;
  }

  async #translate(path: string): Promise<FlowFile | undefined> {
    const own = languageOf(path);
    const text = await this.#tree.read(path);
    if (own === undefined || text === undefined || text.length > maxLength || isMinified(text))
      return undefined;
    return own.words.test(text) ? own.translate(path, text) : undefined;
  }

  #codeOf({ language }: FlowLanguage): RepositoryCode {
    const code = this.#code.get(language) ?? new RepositoryCode(this.#tree, language);
    this.#code.set(language, code);
    return code;
  }

  async #imported(
    own: FlowLanguage,
    path: string,
    specifier: string,
    names: ReadonlySet<string>,
  ): Promise<readonly FlowFile[]> {
    const found = await this.#codeOf(own).resolve(path, specifier);
    if (found.kind !== 'file' || found.path === path) return [];
    const file = await this.#file(found.path);
    return [...(file === undefined ? [] : [file]), ...(await this.#defining(own, found.path, names))];
  }

  /** The other files that share a scope with a file, and define one of the names. */
  async #defining(own: FlowLanguage, path: string, names: ReadonlySet<string>): Promise<FlowFile[]> {
    const others = (await this.#codeOf(own).unit(path)).filter((each) => each !== path);
    const wanted = new RegExp(
      `^func (?:\\([^)]*\\) )?(?:${[...names].map(RegExp.escape).join('|')})[[(]`,
      'm',
    );
    const files: FlowFile[] = [];
    for (const other of others.slice(0, maxBeside)) {
      if (!wanted.test((await this.#tree.read(other)) ?? '')) continue;
      const file = await this.#file(other);
      if (file !== undefined) files.push(file);
    }
    return files;
  }
}
