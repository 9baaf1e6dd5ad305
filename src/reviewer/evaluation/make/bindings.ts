import path from 'node:path';
import type { CodeFacts } from '../../code/code-facts.ts';
import type { Language } from '../../code/language.ts';

/** A name of a file that other files may refer to, or `*` for the file itself. */
export interface Named {
  readonly language: Language;
  readonly path: string;
  readonly word: string;
}

/** The lines on which a file refers to the name through an import of the file that defines it. */
export function boundLines(
  facts: CodeFacts,
  user: string,
  named: Named,
  goModule: string | undefined,
): number[] {
  const { language, word } = named;
  const leads = (specifier: string) => pointsTo(language, user, specifier, named.path, goModule);
  if (word === '*') {
    const brought = facts.imports.filter(
      ({ from, imported, isGuarded }) => !isGuarded && (leads(from) || leads(join(language, from, imported))),
    );
    const locals = new Set(brought.map(({ local }) => local));
    const uses = facts.uses.filter(({ name }) => locals.has(name));
    return [...brought, ...uses].map(({ line }) => line);
  }
  const lines = facts.imports
    .filter(({ from, imported, isGuarded }) => !isGuarded && imported === word && leads(from))
    .map(({ line }) => line);
  const direct = new Set(
    facts.imports.filter(({ from, imported }) => imported === word && leads(from)).map(({ local }) => local),
  );
  for (const use of facts.uses) {
    if (direct.has(use.name)) lines.push(use.line);
    const at = use.members.indexOf(word);
    if (at === -1 || (at > 0 && language.name !== 'python')) continue;
    for (const { local, from, imported } of facts.imports.filter((each) => each.local === use.name)) {
      const module = [imported === '*' ? '' : imported, ...use.members.slice(0, at)].filter(
        (part) => part !== '',
      );
      const isWhole = imported === '*' || language.name === 'python';
      if (local !== null && isWhole && leads(module.reduce((all, part) => join(language, all, part), from)))
        lines.push(use.line);
    }
  }
  return lines;
}

function join(language: Language, from: string, name: string): string {
  if (language.name !== 'python' || name === '*' || name === '') return from;
  return /^\.*$/.test(from) ? from + name : `${from}.${name}`;
}

/** The path of a file without its extension, and without `/index` or `/__init__`, since imports may omit them. */
export const moduleOf = (file: string) => withoutEnding(file).replace(/\/(?:index|__init__)$/, '');

const withoutEnding = (file: string) => file.replace(/(?:\.d)?\.[cm]?[jt]sx?$|\.pyi?$/, '');

/** Whether an import refers to a file, by its text alone: settings of tools are not considered. */
function pointsTo(
  { name }: Language,
  user: string,
  specifier: string,
  file: string,
  goModule: string | undefined,
): boolean {
  const folder = path.posix.dirname(file);
  if (name === 'go')
    return folder === '.' ? specifier === goModule : specifier === folder || specifier.endsWith(`/${folder}`);
  const wanted = moduleOf(file);
  if (name === 'python') {
    const dots = /^\.*/.exec(specifier)![0].length;
    const parts = specifier.slice(dots).replaceAll('.', '/');
    // A single word may be a module of Python itself, so only the usual roots count.
    if (dots === 0 && !parts.includes('/')) return [parts, `src/${parts}`, `lib/${parts}`].includes(wanted);
    if (dots === 0) return wanted === parts || wanted.endsWith(`/${parts}`);
    return (
      wanted === path.posix.join(path.posix.dirname(user), '../'.repeat(dots - 1), parts).replace(/\/$/, '')
    );
  }
  if (!specifier.startsWith('.')) return false;
  const target = path.posix.join(path.posix.dirname(user), specifier).replace(/\/$/, '');
  return [target, withoutEnding(target)].some((each) => each.replace(/\/index$/, '') === wanted);
}
