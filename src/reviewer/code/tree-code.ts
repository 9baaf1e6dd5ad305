import type { TreeView } from '../repository/tree-view.ts';
import type { Language } from './language.ts';
import { languages } from './languages.ts';
import { RepositoryCode } from './repository-code.ts';

/** The code of one tree in all languages whose references can be resolved; what was read of a file is kept. */
export class TreeCode {
  readonly tree: TreeView;
  readonly #known = new Map<Language, RepositoryCode>();

  constructor(tree: TreeView) {
    this.tree = tree;
  }

  /** The code that a file is part of; undefined where its language is not resolved. */
  of(path: string): RepositoryCode | undefined {
    const language = languages.find(({ covers }) => covers(path));
    if (language === undefined) return undefined;
    const known = this.#known.get(language) ?? new RepositoryCode(this.tree, language);
    this.#known.set(language, known);
    return known;
  }
}
