import { shared } from './shared-facts.ts';
import type { TreeLanguage } from './tree-rule.ts';

const inFunction = (...lines: string[]) =>
  `void a(char *b, char *c) {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`;

/** Agreed on by SEI CERT C (STR31, FIO30, FIO21, ENV33), the C standard, which removed `gets`, and Juliet. */
export const c: TreeLanguage = {
  name: 'C and C++',
  files: /\.(?:c|cc|cpp|cxx|h|hh|hpp)$/,
  path: 'src/a.c',
  rules: [
    {
      id: 'unbounded-write',
      facts: shared.overflow,
      nodes: ['call_expression'],
      text: /^(?:gets\(|f?scanf\([^"]*"[^"]*%s|sscanf\([^"]*"[^"]*%s|(?:strcpy|strcat)\([^,]+,\s*(?:argv\[|getenv\())/,
      example: { fails: inFunction('gets(b);'), passes: inFunction('fgets(b, 80, stdin);') },
    },
    {
      id: 'format-from-variable',
      facts: shared.format,
      nodes: ['call_expression'],
      text: /^(?:v?printf\(\s*(?!_|tr\b)[a-z]\w*\s*\)$|fprintf\(\s*\w+\s*,\s*(?!_)[a-z]\w*\s*\)$|syslog\(\s*\w+\s*,\s*(?!_)[a-z]\w*\s*\)$)/,
      unless: /fmt|format|usage|help|banner|msg_/i,
      example: { fails: inFunction('printf(b);'), passes: inFunction('printf("%s", b);') },
    },
    {
      id: 'shell-injection',
      facts: shared.shell,
      nodes: ['call_expression'],
      text: /^(?:std::)?(?:system|popen)\(\s*(?:argv\[|getenv\(|\(?\s*(?:std::string\()?"[^"]*"\)?\s*\+)/,
      example: {
        fails: inFunction('system(getenv("EDITOR"));'),
        passes: inFunction('execlp("git", "git", "log", b, NULL);'),
      },
    },
    {
      id: 'temporary-name',
      facts: [
        'minor',
        'security_and_privacy',
        'Race condition when creating a temporary file',
        'Between choosing the name and opening the file, somebody else can create a file or a link with that name. Use `mkstemp`.',
        'CWE-377',
      ],
      nodes: ['call_expression'],
      text: /^(?:tmpnam|tempnam|mktemp)\(/,
      example: { fails: inFunction('mktemp(b);'), passes: inFunction('mkstemp(b);') },
    },
  ],
};
