import type { Node } from 'web-tree-sitter';
import { parseTree } from '../../../code/symbols.ts';
import type { RuleFinding, SourceText } from '../../../rule-source.ts';
import { describeFinding } from '../../rule-facts.ts';
import { c } from './c-rules.ts';
import { csharp } from './csharp-rules.ts';
import { java } from './java-rules.ts';
import { kotlin } from './kotlin-rules.ts';
import { php } from './php-rules.ts';
import { ruby } from './ruby-rules.ts';
import { rust } from './rust-rules.ts';
import type { TreeRule } from './tree-rule.ts';

/** Languages with a few undisputed rules, because no linter for them can be shipped. */
export const treeLanguages = [java, kotlin, csharp, c, rust, ruby, php] as const;

const languageOf = (path: string) => treeLanguages.find(({ files }) => files.test(path));

export const hasTreeRules = (path: string): boolean => languageOf(path) !== undefined;

/** Longer nodes are tables of data. */
const maxLength = 3_000;
const maxFindings = 500;

/** Finds the matches of all rules for the language of a text. Each rule reports a line at most once. */
export async function findInTree({ path, text }: SourceText): Promise<readonly RuleFinding[]> {
  const language = languageOf(path);
  const tree = language === undefined ? undefined : await parseTree(path, text);
  if (language === undefined || tree === undefined) return [];
  try {
    const wanted = [...new Set(language.rules.flatMap(({ nodes }) => nodes))];
    const found = new Map<string, RuleFinding>();
    for (const node of tree.rootNode.descendantsOfType(wanted)) {
      if (node === null || node.endIndex - node.startIndex > maxLength || found.size >= maxFindings) continue;
      const said = node.text;
      for (const rule of language.rules)
        if (rule.nodes.includes(node.type) && holds(rule, node, said)) {
          const line = node.startPosition.row + 1;
          found.set(`${rule.id} ${line}`, findingOf(rule, line));
        }
    }
    return [...found.values()];
  } finally {
    tree.delete();
  }
}

function holds({ text, unless, around }: TreeRule, node: Node, said: string): boolean {
  if (!text.test(said) || unless?.test(said) === true) return false;
  return around === undefined || around.test(functionAround(node));
}

const functions =
  /^(?:method|function|constructor|local_function)_(?:declaration|definition|statement|item)$|^method$/;

function functionAround(node: Node): string {
  let at: Node | null = node;
  while (at !== null && !functions.test(at.type)) at = at.parent;
  return (at ?? node).text.slice(0, 20_000);
}

const findingOf = ({ id, facts }: TreeRule, line: number): RuleFinding => ({
  rule: `patterns/${id}`,
  startLine: line,
  endLine: line,
  ...describeFinding(facts, ''),
});
