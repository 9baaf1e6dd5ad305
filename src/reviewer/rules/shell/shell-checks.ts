/** A fault that our own checks report. */
export interface ShellFault {
  readonly code: string;
  readonly line: number;
  readonly message: string;
}

const checks: readonly (readonly [code: string, pattern: RegExp, message: string])[] = [
  [
    'SC2115',
    /(?:^|[\s;&|(])rm\s+(?:-[a-zA-Z]*[rR][a-zA-Z]*\s+)(?:-\S+\s+)*(?:"\$\{?\w+\}?"?|\$\{?\w+\}?)\/(?:\*|"|\s|$)/,
    'The path begins with a variable that may be empty',
  ],
  [
    'SC2077',
    /(?:^|[\s;&|(])\[{1,2} +"?\$\{?\w+\}?"?={1,2}"?[\w$-]+"? +\]{1,2}/,
    'There are no spaces around the operator',
  ],
  ['SC2070', /(?:^|[\s;&|(])\[ +-n +\$\{?\w+\}? +\]/, 'The variable is not quoted'],
  [
    'SC2094',
    /(?:^|[;&|]\s*)(?:sort|uniq|sed|grep|awk|cut|tr|head|tail|jq)\s(?:[^|;&<>]*\s)?(\S+)\s*>\s*\1(?:\s|$)/,
    'Source and target are the same file',
  ],
  [
    'pipe-to-shell',
    /\b(?:curl|wget)\b[^|;&]*\shttp:\/\/(?!localhost|127\.)[^|;&]*\|\s*(?:sudo\s+)?(?:ba|z|da|k)?sh\b/,
    'The URL begins with http:',
  ],
  ['world-writable', /(?:^|[\s;&|(])chmod\s+(?:-R\s+)?0?777\s/, 'The mode is 777'],
];

/** A few checks that work without ShellCheck: only for faults that one line shows. */
export function checkShell(text: string): ShellFault[] {
  const found: ShellFault[] = [];
  let heredocEnd: string | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    if (heredocEnd !== undefined) {
      if (line.trim() === heredocEnd) heredocEnd = undefined;
      continue;
    }
    heredocEnd = /<<-?\s*["']?([A-Za-z_]\w*)["']?/.exec(line)?.[1];
    const code = line.replace(/(?:^|\s)#.*$/, '').slice(0, 1_000);
    for (const [id, pattern, message] of checks)
      if (pattern.test(code)) found.push({ code: id, line: index + 1, message });
  }
  return found;
}
