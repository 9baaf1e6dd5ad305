import { parseJavaScript, type Node as ScriptNode } from '../../../code/javascript/syntax.ts';
import { parseTree } from '../../../code/symbols.ts';
import { lineOf } from '../languages/tree-nodes.ts';
import { asScript } from './python-expressions.ts';

/** A regular expression in a file, in the syntax of JavaScript. */
export interface FoundExpression {
  readonly source: string;
  readonly flags: string;
  readonly line: number;
  /** As written in the code, which is also how the engine knows it. */
  readonly written: string;
}

/** Longer ones are generated tables. */
const maxLength = 1_500;

/** The regular expressions of a file that can be slow. */
export async function expressionsIn(path: string, text: string): Promise<FoundExpression[]> {
  const found = path.endsWith('.py') ? await inPython(path, text) : await inScript(path, text);
  return found.filter(({ source }) => source.length <= maxLength && mayBeSlow(source));
}

/** Whether a repetition is nested, or followed by something. Otherwise each character is read once, which is always fast. */
function mayBeSlow(source: string): boolean {
  const bare = source.replaceAll(/\\./g, 'a').replaceAll(/\[[^\]]*\]/g, 'a');
  const open = [...bare.matchAll(/[*+]|\{\d+,\}/g)];
  if (open.length === 0) return false;
  return open.length > 1 || /\)(?:[*+]|\{\d+,\})/.test(bare) || !/(?:[*+]|\{\d+,\})\??\)*$/.test(bare);
}

async function inScript(path: string, text: string): Promise<FoundExpression[]> {
  if (!/\/[^/\n]*[*+}][^\n]*\/|RegExp/.test(text)) return [];
  const syntax = await parseJavaScript(path, text);
  if (syntax === undefined) return [];
  const found: FoundExpression[] = [];
  const waiting: ScriptNode[] = [syntax.program];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const line = () => syntax.lineOf(node.start);
    if (node.type === 'Literal' && node.regex != null) {
      const { pattern: source, flags } = node.regex;
      found.push({ source, flags, line: line(), written: source });
    } else if (/^(?:New|Call)Expression$/.test(node.type) && node.callee.name === 'RegExp') {
      const [source, flags] = node.arguments.map((each: ScriptNode) => each.value);
      if (typeof source === 'string' && (flags === undefined || typeof flags === 'string'))
        found.push({ source, flags: flags ?? '', line: line(), written: source });
    }
    for (const child of syntax.childrenOf(node)) waiting.push(child);
  }
  return found;
}

async function inPython(path: string, text: string): Promise<FoundExpression[]> {
  if (!/\bre\b/.test(text)) return [];
  const tree = await parseTree(path, text);
  if (tree === undefined) return [];
  try {
    return tree.rootNode.descendantsOfType('call').flatMap((call) => {
      const name = call?.childForFieldName('function')?.text ?? '';
      if (!/^re\.(?:compile|match|search|fullmatch|sub|subn|findall|finditer|split)$/.test(name)) return [];
      const given = (call!.childForFieldName('arguments')?.namedChildren ?? []).filter(
        (each) => each !== null,
      );
      const [first] = given;
      if (first?.type !== 'string' || first.namedChildren.some((part) => part?.type === 'interpolation'))
        return [];
      const flags = given
        .slice(1)
        .map((each) => each.text)
        .filter((each) => /\bre\.[A-Z]/.test(each));
      const inside = /^([a-zA-Z]*)("""|'''|"|')([\s\S]*)\2$/.exec(first.text);
      const expression =
        inside === null ? null : asScript(inside[3]!, /r/i.test(inside[1]!), flags.join(' '));
      return expression === null ? [] : [{ ...expression, line: lineOf(first), written: inside![3]! }];
    });
  } finally {
    tree.delete();
  }
}
