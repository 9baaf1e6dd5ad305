import type { TreeView } from '../../repository/tree-view.ts';

const codePaths = ['*.ts', '*.tsx', '*.mts', '*.cts', '*.js', '*.jsx', '*.mjs', '*.cjs'];
const declaration = /\bdeclare\s+module\s+(['"])([^'"]+)\1/;

/** Declarations that programs use without importing a file: ambient modules of TypeScript, and global names. */
export class AmbientDeclarations {
  readonly #tree: TreeView;
  #patterns: Promise<readonly string[]> | undefined;

  constructor(tree: TreeView) {
    this.#tree = tree;
  }

  /** Finds `declare module 'shop'` and `declare module '*.svg'`. */
  async hasModule(specifier: string): Promise<boolean> {
    this.#patterns ??= this.#find();
    return (await this.#patterns).some((pattern) => {
      const [head = '', tail] = pattern.split('*');
      if (tail === undefined) return pattern === specifier;
      return (
        specifier.length >= head.length + tail.length &&
        specifier.startsWith(head) &&
        specifier.endsWith(tail)
      );
    });
  }

  /** Finds `declare function load()`, `declare global { … }`, `globalThis.load = …` and `/* global load`. */
  async hasName(name: string): Promise<boolean> {
    const word = RegExp.escape(name);
    const isSet = new RegExp(
      `\\b(?:globalThis|global|window|self)(?:\\.${word}|\\[['"]${word}['"]\\])\\s*=(?!=)`,
    );
    const isTold = new RegExp(`\\bdeclare\\s[\\w\\s]*\\b${word}\\b|/\\*\\s*globals?\\s.*\\b${word}\\b`);
    const isDeclared = new RegExp(
      `\\b(?:function|var|let|const|class|namespace|interface|type|enum)\\s+${word}\\b`,
    );
    const { lines } = await this.#tree.findLines([name], { asWords: true, pathspecs: codePaths });
    for (const { path, text } of lines) {
      if (isSet.test(text) || isTold.test(text)) return true;
      if (isDeclared.test(text) && /\bdeclare\s+global\b/.test((await this.#tree.read(path)) ?? ''))
        return true;
    }
    return false;
  }

  async #find(): Promise<readonly string[]> {
    const { lines } = await this.#tree.findLines(['declare module'], {
      pathspecs: ['*.ts', '*.mts', '*.cts'],
    });
    return lines.flatMap(({ text }) => declaration.exec(text)?.[2] ?? []);
  }
}
