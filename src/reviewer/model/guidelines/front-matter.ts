/** What stands at the head of a guideline, and the text below it. */
export interface FrontMatter {
  /** The files that it is for; null where it does not say. */
  readonly globs: readonly string[] | null;
  /** It says that it is to be used only when somebody asks for it. */
  readonly isOnDemand: boolean;
  readonly text: string;
}

const maxHead = 4_000;
const maxGlobs = 50;

/**
 * Reads `globs` and `applyTo`. Not as YAML: editors write `globs: *.ts`, which is none, and several patterns in one text with
 * commas in between.
 */
export function readFrontMatter(text: string): FrontMatter {
  const found = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text.slice(0, maxHead));
  if (found === null) return { globs: null, isOnDemand: false, text };
  const lines = found[1]!.split(/\r?\n/);
  const globs = [...valuesOf(lines, 'globs'), ...valuesOf(lines, 'applyTo')].slice(0, maxGlobs);
  const isForAll = valuesOf(lines, 'alwaysApply');
  return {
    globs: globs.length === 0 || isForAll.includes('true') ? null : globs,
    isOnDemand: globs.length === 0 && isForAll.includes('false'),
    text: text.slice(found[0].length),
  };
}

/** The values of a key: on its line, with commas in between, or one by one on the lines below. No pattern has quotes in it. */
function valuesOf(lines: readonly string[], key: string): string[] {
  const at = lines.findIndex((line) => line.startsWith(`${key}:`));
  if (at === -1) return [];
  const inline = lines[at]!.slice(key.length + 1).trim();
  const below = lines.slice(at + 1);
  const end = below.findIndex((line) => !/^\s*-\s/.test(line));
  const values =
    inline === ''
      ? below.slice(0, end === -1 ? below.length : end).map((line) => line.replace(/^\s*-\s+/, ''))
      : splitAtCommas(inline.replace(/^\[(.*)\]$/, '$1'));
  return values.map((value) => value.replaceAll(/["']/g, '').trim()).filter((value) => value !== '');
}

/** Not at those in braces: `*.{ts,tsx}` is one pattern. */
function splitAtCommas(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const character of text) {
    if (character === '{') depth += 1;
    if (character === '}') depth -= 1;
    if (character === ',' && depth <= 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts;
}
