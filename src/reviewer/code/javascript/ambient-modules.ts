import type { TreeView } from '../../repository/tree-view.ts';

const declaration = /\bdeclare\s+module\s+(['"])([^'"]+)\1/;

/** Modules that TypeScript is told of without a file of their own: `declare module 'shop'`, `declare module '*.svg'`. */
export class AmbientModules {
  readonly #tree: TreeView;
  #patterns: Promise<readonly string[]> | undefined;

  constructor(tree: TreeView) {
    this.#tree = tree;
  }

  async declares(specifier: string): Promise<boolean> {
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

  async #find(): Promise<readonly string[]> {
    const { lines } = await this.#tree.findLines(['declare module'], {
      pathspecs: ['*.ts', '*.mts', '*.cts'],
    });
    return lines.flatMap(({ text }) => declaration.exec(text)?.[2] ?? []);
  }
}
