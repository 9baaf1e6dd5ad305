import path from 'node:path';

/** What counts as layout in a language; everything else is code. */
interface Layout {
  /**
   * Which white space is layout. `none`: all of it is significant, as in prose. `lines`: all but the indentation of lines.
   * `blocks`: all but the indentation of statements.
   */
  readonly space: 'none' | 'lines' | 'blocks' | 'all';
  readonly hasFreeQuotes: boolean;
  readonly hasFreeSemicolons: boolean;
  readonly hasFreeCommas: boolean;
}

const prose = new Set(['.md', '.mdx', '.markdown', '.rst', '.adoc', '.txt', '.csv', '.tsv']);
const indentedLines = new Set(['.yml', '.yaml', '.mk', '.haml', '.pug', '.sass', '.coffee', '.hs', '.elm']);
const indentedBlocks = new Set(['.py', '.pyi', '.nim', '.fs', '.fsx', '.gd']);
const shell = new Set(['.sh', '.bash', '.zsh', '.fish', '.ksh', '.bats']);
const script = ['.js', '.jsx', '.mjs', '.cjs', '.ts', '.tsx', '.mts', '.cts', '.vue', '.svelte'];
const quoted = new Set([...script, '.py', '.pyi', '.css', '.scss', '.less', '.html', '.dart']);
const unended = new Set([...script, '.py', '.pyi', '.go', '.kt', '.kts', '.swift', '.scala', '.groovy']);

function layoutOf(name: string): Layout {
  const base = path.posix.basename(name).toLowerCase();
  const ending = path.posix.extname(base);
  const isMakefile = /^(?:gnu)?makefile(?:\.|$)/.test(base);
  const isIndented = isMakefile || indentedLines.has(ending);
  const isShell = shell.has(ending) || /^(?:dockerfile|containerfile|justfile)(?:\.|$)/.test(base);
  const space = prose.has(ending)
    ? 'none'
    : isIndented
      ? 'lines'
      : indentedBlocks.has(ending)
        ? 'blocks'
        : 'all';
  return {
    space,
    hasFreeQuotes: quoted.has(ending),
    hasFreeSemicolons: unended.has(ending),
    hasFreeCommas: space !== 'none' && !isIndented && !isShell,
  };
}

/** Removes everything that formatters of the language decide, by the path of the file. */
export function withoutLayout(lines: readonly string[], name: string): string {
  const { space, hasFreeQuotes, hasFreeSemicolons, hasFreeCommas } = layoutOf(name);
  const ended = lines.map((line) => line.trimEnd());
  if (space === 'none') return lines.join('\n');
  const filled = ended.filter((line) => line !== '');
  if (space === 'lines') return filled.join('\n');
  let code = filled.map((line) => (hasFreeSemicolons ? line.replace(/;$/, '') : line)).join('');
  code = code.replaceAll(/\s+/g, '');
  if (hasFreeQuotes) code = code.replaceAll(/["'`]/g, "'");
  if (hasFreeCommas) code = code.replaceAll(/,(?=[)\]}>])/g, '').replace(/,$/, '');
  const indentation = space === 'blocks' ? (/^\s*/.exec(filled[0] ?? '')?.[0] ?? '') : '';
  return indentation + code;
}

/** The same without any white space, to recognize lines wherever they are. */
export function bareText(lines: readonly string[], name: string): string {
  return withoutLayout(
    lines.map((line) => line.trim()),
    name,
  ).replaceAll(/\s+/g, '');
}
