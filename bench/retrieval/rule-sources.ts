import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A rule from a public source, with code that violates it or words that complain about a violation. */
export interface RuleExample {
  readonly learning: string;
  readonly query: string;
}

export interface RuleSource {
  readonly name: string;
  /** Parameters are chosen on validation sources only; held-out ones are only reported. */
  readonly role: 'validation' | 'held-out';
  readonly kind: 'code' | 'prose';
  readonly repository: string;
  /** Reads the examples out of a checkout of the repository. */
  readonly read: (folder: string) => RuleExample[];
}

const fence = /^[ \t]*(?:```|~~~)[^\n]*\n([\s\S]*?)\n[ \t]*(?:```|~~~)/m;

function files(folder: string, pattern: string): { readonly name: string; readonly text: string }[] {
  return globSync(pattern, { cwd: folder })
    .sort()
    .map((name) => ({ name, text: readFileSync(path.join(folder, name), 'utf8') }));
}

/** Converts Markdown to sentences: links keep their text; formatting and everything else is removed. */
function prose(markdown: string): string {
  return markdown
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replace(/^(?:[#>|:].*|import .*|\[.*\]:.*|\p{Extended_Pictographic}.*|- http.*)$/gmu, '')
    .replace(/<[^>\n]*>/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Only the code of the example, without comments that mark it as bad and directives of the tool. */
function code(example: string): string {
  return example
    .replace(/\/\*\s*(?:eslint|global|exported)[\s\S]*?\*\//g, '')
    .replace(/^\s*(?:\/\/|#|\/\*+)\s*(?:bad|incorrect|wrong|fail|don'?t)\b[^\n]*$/gimu, '')
    .replace(/^\s*\/\/ ❌[^\n]*$/gmu, '')
    .replace(/(?:\/\/|#)\s*(?:bad|error|noncompliant|don'?t|\[[\w, -]+\])[^\n]*$/gimu, '')
    .replace(/[↓↑]/g, '')
    .replace(/^\s*\n/gm, '')
    .trim();
}

const leadOf = (text: string) => text.split(/^(?:#{2,} |```|~~~|<Tabs>|<table>)/m, 1)[0]!;
const titleOf = (text: string) => /^# (.*)$/m.exec(text)?.[1] ?? '';
const paragraphs = (text: string, count: number) =>
  text
    .split(/\n\s*\n/)
    .slice(0, count)
    .join('\n\n');

/** Reads one Markdown page per rule: the text before the first example, and the first example after a marker. */
function pages(pattern: string, mark: RegExp, summary: (text: string) => string = () => '') {
  return (folder: string): RuleExample[] =>
    files(folder, pattern).flatMap(({ text: page }) => {
      const text = page.replace(/^---\n[\s\S]*?\n---\n/, '');
      const start = text.search(mark);
      // The marker is before the example, or is its first comment.
      const isInside = (text.slice(0, start).match(/^[ \t]*```/gm)?.length ?? 0) % 2 === 1;
      const from = isInside ? text.lastIndexOf('\n```', start) : start;
      const fenced = start === -1 ? null : fence.exec(text.slice(from));
      const example = fenced?.[1]?.split(/^\s*\/\/ ✅/mu, 1)[0];
      const lead = prose(paragraphs(leadOf(text).trim(), 3));
      const learning = `${summary(page)} ${lead}`.trim();
      return example === undefined ? [] : [{ learning, query: code(example) }];
    });
}

/** Reads doc comments with headings (`/// ## What it does`), as in the sources of Rust tools. */
function docComments(pattern: string, build: (section: (heading: string) => string) => RuleExample[]) {
  return (folder: string): RuleExample[] =>
    files(folder, pattern).flatMap(({ text }) =>
      [...text.matchAll(/(?:^[ \t]*\/\/\/.*\n)+/gm)]
        .map(([comment]) => comment.replace(/^[ \t]*\/\/\/ ?/gm, ''))
        .filter((comment) => comment.includes('What it does'))
        .flatMap((comment) =>
          build(
            (heading) =>
              new RegExp(`#+ ${heading}.*\\n([\\s\\S]*?)(?=^#+ [A-Z]|$(?![\\s\\S]))`, 'm').exec(
                comment,
              )?.[1] ?? '',
          ),
        ),
    );
}

const ruleAndExample = (section: (heading: string) => string): RuleExample[] => {
  const example = fence.exec(section('Example'))?.[1];
  const learning = prose(`${section('What it does')}\n\n${paragraphs(section('Why is this bad'), 1)}`);
  return example === undefined ? [] : [{ learning, query: code(example.replace(/^# .*\n/gm, '')) }];
};

const ruleAndComplaint = (section: (heading: string) => string): RuleExample[] => [
  {
    learning: prose(section('What it does').replace(fence, '')),
    query: prose(paragraphs(section('Why is this bad'), 1)),
  },
];

/** Reads sections of one long text, each with a block of alternating bad and good examples. */
function sections(file: string, heading: RegExp, block: RegExp) {
  return (folder: string): RuleExample[] =>
    readFileSync(path.join(folder, file), 'utf8')
      .split(heading)
      .slice(1)
      .flatMap((section) => {
        const found = block.exec(section);
        if (found === null) return [];
        const [, title = '', rest = ''] = /^(.*)\n([\s\S]*)$/.exec(section.slice(0, found.index)) ?? [];
        const learning = prose(
          `${title.replace(/\[\[.*?\]\]|^.*?<\/a>|^\S+\]\(\S+\)|eslint:.*|^[A-Z]+\.\d+:?/g, '')}. ${paragraphs(rest.replace(/^\s*> Why\?|^#+ .*$|^\[.*\]$/gm, '').trim(), 2)}`,
        );
        const bad = found[1]!.split(/^\s*(?:\/\/|#)\s*(?:good|okay|best|better|Good:)/im)[0]!;
        return [{ learning: learning.replace(/^[.\s]+/, ''), query: code(bad) }];
      });
}

function pylint(folder: string): RuleExample[] {
  const literals = String.raw`((?:\s*f?"(?:[^"\\]|\\.)*")+)`;
  const message = new RegExp(String.raw`\(${literals},\s*"([a-z][a-z0-9-]+)",${literals}`, 'g');
  const joined = (text: string) =>
    [...text.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, part]) => part!.replace(/\\(.)/g, '$1')).join('');
  const examples = new Map(
    files(folder, 'doc/data/messages/*/*/bad.py').map(({ name, text }) => [name.split('/').at(-2)!, text]),
  );
  return files(folder, 'pylint/**/*.py').flatMap(({ text }) =>
    [...text.matchAll(message)].flatMap(([, said = '', name = '', description = '']) => {
      const example = examples.get(name);
      const learning = `${joined(said).replace(/%[a-z]|%\(\w+\)s/g, '…')}. ${joined(description)}`;
      return example === undefined ? [] : [{ learning, query: code(example) }];
    }),
  );
}

function swiftlint(folder: string): RuleExample[] {
  const literal = /"""\n([\s\S]*?)\n\s*"""|"((?:[^"\\\n]|\\.)*)"/;
  return files(folder, 'Source/SwiftLintBuiltInRules/Rules/**/*.swift').flatMap(({ text }) => {
    const description = /description: (?:"""\n([\s\S]*?)\n\s*"""|"((?:[^"\\\n]|\\.)*)")/.exec(text);
    const triggering = /(?<!non)triggeringExamples: #examples\(\[([\s\S]*)/i.exec(text)?.[1];
    const example = triggering === undefined ? null : literal.exec(triggering);
    if (description === null || example === null) return [];
    const unescaped = (found: RegExpExecArray) =>
      (found[1] ?? found[2] ?? '').replace(/\\n/g, '\n').replace(/\\(.)/g, '$1');
    return [{ learning: prose(unescaped(description)), query: code(unescaped(example)) }];
  });
}

function detekt(folder: string): RuleExample[] {
  return files(folder, '{detekt-rules-*,detekt-rules/**}/src/main/kotlin/**/*.kt').flatMap(({ text }) => {
    const found = /\/\*\*\n((?: \*.*\n)*?) \* <noncompliant>\n([\s\S]*?) \* <\/noncompliant>/.exec(text);
    if (found === null) return [];
    const bare = (comment: string) => comment.replace(/^ \* ?/gm, '');
    return [{ learning: prose(paragraphs(bare(found[1]!).trim(), 2)), query: code(bare(found[2]!)) }];
  });
}

function errorProne(folder: string): RuleExample[] {
  return files(folder, 'docs/bugpattern/**/*.md').flatMap(({ text }) => {
    const example = fence.exec(text)?.[1];
    const learning = prose(paragraphs(leadOf(text).trim(), 2));
    return example === undefined ? [] : [{ learning, query: code(example) }];
  });
}

function nodeBestPractices(folder: string): RuleExample[] {
  return readFileSync(path.join(folder, 'README.md'), 'utf8')
    .split(/^## !\[✔\] [\d.]+ /m)
    .slice(1)
    .flatMap((section) => {
      const advice = /\*\*TL;DR:\*\*(.*)/.exec(section)?.[1];
      const complaint = /\*\*Otherwise:\*\*(.*)/.exec(section)?.[1];
      if (advice === undefined || complaint === undefined) return [];
      return [{ learning: prose(`${section.split('\n', 1)[0]}. ${advice}`), query: prose(complaint) }];
    });
}

function kubeLinter(folder: string): RuleExample[] {
  return files(folder, 'pkg/builtinchecks/yamls/*.yaml').flatMap(({ text }) => {
    const field = (name: string) =>
      new RegExp(`^${name}: (?:>-?\\n)?((?:.*)(?:\\n  .*)*)`, 'm').exec(text)?.[1]?.replace(/^"|"$/g, '') ??
      '';
    return [{ learning: prose(field('remediation')), query: prose(field('description')) }];
  });
}

const incorrect = /incorrect|❌|## Fail/i;
const summaryLine = (text: string) => prose((/^📝 (.*)$/m.exec(text)?.[1] ?? '').replace(/\.?$/, '.'));
const frontMatter = (text: string) => /^description: '(.*)'$/m.exec(text)?.[1] ?? '';

export const ruleSources: readonly RuleSource[] = [
  {
    name: 'eslint',
    role: 'validation',
    kind: 'code',
    repository: 'eslint/eslint',
    read: pages('docs/src/rules/*.md', incorrect),
  },
  {
    name: 'ruff',
    role: 'validation',
    kind: 'code',
    repository: 'astral-sh/ruff',
    read: docComments('crates/ruff_linter/src/rules/**/rules/**/*.rs', ruleAndExample),
  },
  {
    name: 'ruff, complaints',
    role: 'validation',
    kind: 'prose',
    repository: 'astral-sh/ruff',
    read: docComments('crates/ruff_linter/src/rules/**/rules/**/*.rs', ruleAndComplaint),
  },
  {
    name: 'ruby guide',
    role: 'validation',
    kind: 'code',
    repository: 'rubocop/ruby-style-guide',
    read: sections('README.adoc', /^=+ /m, /\[source,ruby\]\n----\n(\s*# bad[\s\S]*?)\n----/),
  },
  {
    name: 'C++ guidelines',
    role: 'validation',
    kind: 'code',
    repository: 'isocpp/CppCoreGuidelines',
    read: sections(
      'CppCoreGuidelines.md',
      /^### /m,
      /^#+ Example, bad\n\n(?:[^ \n].*\n+)*((?: {4}.*\n|\n)+)/m,
    ),
  },
  {
    name: 'stylelint',
    role: 'validation',
    kind: 'code',
    repository: 'stylelint/stylelint',
    read: pages('lib/rules/*/README.md', /considered problems/),
  },
  {
    name: 'Node.js practices',
    role: 'validation',
    kind: 'prose',
    repository: 'goldbergyoni/nodebestpractices',
    read: nodeBestPractices,
  },
  { name: 'detekt', role: 'validation', kind: 'code', repository: 'detekt/detekt', read: detekt },
  {
    name: 'airbnb',
    role: 'held-out',
    kind: 'code',
    repository: 'airbnb/javascript',
    read: sections('README.md', /^ {2}- \[/m, /```(?:js|javascript|jsx)\n(\s*\/\/ bad[\s\S]*?)```/),
  },
  {
    name: 'uber-go',
    role: 'held-out',
    kind: 'code',
    repository: 'uber-go/guide',
    read: pages('src/*.md', /<th>Bad/, (text) => `${titleOf(text)}.`),
  },
  {
    name: 'google go',
    role: 'held-out',
    kind: 'code',
    repository: 'google/styleguide',
    read: (folder) =>
      ['go/decisions.md', 'go/best-practices.md'].flatMap((file) =>
        sections(file, /^#+ /m, /```\w*\n(\s*\/\/ Bad:[\s\S]*?)```/)(folder),
      ),
  },
  {
    name: 'clippy',
    role: 'held-out',
    kind: 'code',
    repository: 'rust-lang/rust-clippy',
    read: docComments('clippy_lints/src/**/*.rs', ruleAndExample),
  },
  {
    name: 'clippy, complaints',
    role: 'held-out',
    kind: 'prose',
    repository: 'rust-lang/rust-clippy',
    read: docComments('clippy_lints/src/**/*.rs', ruleAndComplaint),
  },
  { name: 'pylint', role: 'held-out', kind: 'code', repository: 'pylint-dev/pylint', read: pylint },
  {
    name: 'typescript-eslint',
    role: 'held-out',
    kind: 'code',
    repository: 'typescript-eslint/typescript-eslint',
    read: pages('packages/eslint-plugin/docs/rules/*.mdx', incorrect, frontMatter),
  },
  {
    name: 'eslint-plugin-react',
    role: 'held-out',
    kind: 'code',
    repository: 'jsx-eslint/eslint-plugin-react',
    read: pages('docs/rules/*.md', incorrect, summaryLine),
  },
  {
    name: 'unicorn',
    role: 'held-out',
    kind: 'code',
    repository: 'sindresorhus/eslint-plugin-unicorn',
    read: pages('docs/rules/*.md', incorrect, summaryLine),
  },
  {
    name: 'jest',
    role: 'held-out',
    kind: 'code',
    repository: 'jest-community/eslint-plugin-jest',
    read: pages('docs/rules/*.md', /considered (?:warnings|problems)|incorrect/, summaryLine),
  },
  { name: 'SwiftLint', role: 'held-out', kind: 'code', repository: 'realm/SwiftLint', read: swiftlint },
  { name: 'Error Prone', role: 'held-out', kind: 'code', repository: 'google/error-prone', read: errorProne },
  {
    name: 'ansible-lint',
    role: 'held-out',
    kind: 'code',
    repository: 'ansible/ansible-lint',
    read: pages('src/ansiblelint/rules/*.md', /## Problematic/),
  },
  {
    name: 'rails guide',
    role: 'held-out',
    kind: 'code',
    repository: 'rubocop/rails-style-guide',
    read: sections('README.adoc', /^=+ /m, /\[source,ruby\]\n----\n(\s*# bad[\s\S]*?)\n----/),
  },
  {
    name: 'kube-linter',
    role: 'held-out',
    kind: 'prose',
    repository: 'stackrox/kube-linter',
    read: kubeLinter,
  },
];
