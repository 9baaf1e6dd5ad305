/** The front matter of a guideline, and the text below it. */
export interface FrontMatter {
  /** The files that it applies to; null if it does not say. */
  readonly globs: readonly string[] | null;
  /** Whether it is only meant to be used on request. */
  readonly isOnDemand: boolean;
  readonly text: string;
}

const maxHead = 4_000;
const maxGlobs = 50;

/**
 * Parses `globs`, `applyTo` and `alwaysApply`. Not as YAML: editors write `globs: *.ts`, which is invalid YAML, and several
 * patterns in one value, separated by commas.
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

/** The values of a key: on its line, separated by commas, or in a list below it. Quotes are removed; no pattern has any. */
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

/** Splits at commas outside of braces: `*.{ts,tsx}` is one pattern. */
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
