import type { HLJSApi, LanguageFn } from 'highlight.js';

/** A piece of a line, and the kind of its token; null for plain text. */
export interface Segment {
  readonly text: string;
  readonly kind: string | null;
}

type Load = () => Promise<{ readonly default: LanguageFn }>;

const loads: Readonly<Record<string, Load>> = {
  bash: () => import('highlight.js/lib/languages/bash'),
  c: () => import('highlight.js/lib/languages/c'),
  cpp: () => import('highlight.js/lib/languages/cpp'),
  csharp: () => import('highlight.js/lib/languages/csharp'),
  css: () => import('highlight.js/lib/languages/css'),
  dockerfile: () => import('highlight.js/lib/languages/dockerfile'),
  go: () => import('highlight.js/lib/languages/go'),
  graphql: () => import('highlight.js/lib/languages/graphql'),
  ini: () => import('highlight.js/lib/languages/ini'),
  java: () => import('highlight.js/lib/languages/java'),
  javascript: () => import('highlight.js/lib/languages/javascript'),
  json: () => import('highlight.js/lib/languages/json'),
  kotlin: () => import('highlight.js/lib/languages/kotlin'),
  markdown: () => import('highlight.js/lib/languages/markdown'),
  php: () => import('highlight.js/lib/languages/php'),
  protobuf: () => import('highlight.js/lib/languages/protobuf'),
  python: () => import('highlight.js/lib/languages/python'),
  ruby: () => import('highlight.js/lib/languages/ruby'),
  rust: () => import('highlight.js/lib/languages/rust'),
  sql: () => import('highlight.js/lib/languages/sql'),
  swift: () => import('highlight.js/lib/languages/swift'),
  typescript: () => import('highlight.js/lib/languages/typescript'),
  xml: () => import('highlight.js/lib/languages/xml'),
  yaml: () => import('highlight.js/lib/languages/yaml'),
};

const endings: Readonly<Record<string, string>> = {
  sh: 'bash',
  bash: 'bash',
  c: 'c',
  h: 'c',
  cc: 'cpp',
  cpp: 'cpp',
  hpp: 'cpp',
  cs: 'csharp',
  css: 'css',
  scss: 'css',
  dockerfile: 'dockerfile',
  go: 'go',
  graphql: 'graphql',
  graphqls: 'graphql',
  ini: 'ini',
  toml: 'ini',
  java: 'java',
  js: 'javascript',
  cjs: 'javascript',
  mjs: 'javascript',
  jsx: 'javascript',
  json: 'json',
  kt: 'kotlin',
  md: 'markdown',
  php: 'php',
  proto: 'protobuf',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sql: 'sql',
  swift: 'swift',
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'typescript',
  html: 'xml',
  svg: 'xml',
  xml: 'xml',
  vue: 'xml',
  yaml: 'yaml',
  yml: 'yaml',
};

export function languageOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return endings[name.slice(name.lastIndexOf('.') + 1)];
}

let core: Promise<HLJSApi> | undefined;

/** Loads the highlighter, and a language with the first text in it. */
async function load(language: string): Promise<HLJSApi> {
  core ??= import('highlight.js/lib/core').then((module) => module.default);
  const highlighter = await core;
  if (highlighter.getLanguage(language) === undefined)
    highlighter.registerLanguage(language, (await loads[language]!()).default);
  return highlighter;
}

/** How many lines are highlighted without a pause, so that the page stays responsive. */
const linesAtOnce = 300;
const pause = () => new Promise((resolve) => setTimeout(resolve));

/** Splits lines into highlighted pieces; undefined if the language is not supported. */
export async function highlight(
  path: string,
  lines: readonly string[],
): Promise<readonly (readonly Segment[])[] | undefined> {
  const language = languageOf(path);
  if (language === undefined) return undefined;
  const highlighter = await load(language);
  const found: (readonly Segment[])[] = [];
  for (let start = 0; start < lines.length; start += linesAtOnce) {
    const text = lines.slice(start, start + linesAtOnce).join('\n');
    found.push(...readMarkup(highlighter.highlight(text, { language, ignoreIllegals: true }).value));
    await pause();
  }
  return found;
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
};

/**
 * Parses the highlighter's output, nested `<span class="hljs-…">` and escaped text, into pieces of lines. A span may continue
 * over several lines, and no markup ever gets into the page.
 */
export function readMarkup(markup: string): Segment[][] {
  const lines: Segment[][] = [[]];
  const kinds: (string | null)[] = [];
  for (const [whole, classes] of markup.matchAll(/<span class="([^"]*)">|<\/span>|[^<]+/g)) {
    if (classes !== undefined) kinds.push(/^hljs-([\w-]+)/.exec(classes)?.[1] ?? null);
    else if (whole === '</span>') kinds.pop();
    else {
      const text = whole.replaceAll(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => entities[entity]!);
      for (const [index, piece] of text.split('\n').entries()) {
        if (index > 0) lines.push([]);
        if (piece !== '') lines.at(-1)!.push({ text: piece, kind: kinds.at(-1) ?? null });
      }
    }
  }
  return lines;
}
