import path from 'node:path';
import type { CodeFacts, Definition } from '../../code/code-facts.ts';
import type { Language } from '../../code/language.ts';
import { moduleOf } from './bindings.ts';
import type { ChangedCode } from './changed-code.ts';

/** A name that other files can use and that a commit removed or altered; `*` if its whole file was removed. */
export interface AlteredName {
  readonly language: Language;
  /** With the class as its prefix for methods. */
  readonly name: string;
  /** The name as code that uses it writes it, without the class. */
  readonly word: string;
  readonly isMember: boolean;
  /** The file that defined it. */
  readonly path: string;
  readonly rule: 'removed' | 'signature' | 'made-async' | 'missing-file';
  readonly before: Definition | null;
  readonly after: Definition | null;
  /** Another file of the commit defines the name now, so that only code that imports it from the former file is broken. */
  readonly isElsewhere: boolean;
}

/** Finds what a commit altered for other files, from the syntax of its own files alone. */
export function findAlteredNames(code: readonly ChangedCode[]): AlteredName[] {
  return code.flatMap((each) => [...goneFile(each, code), ...alteredIn(each, code)]);
}

function goneFile({ file, language, oldPath }: ChangedCode, code: readonly ChangedCode[]): AlteredName[] {
  const isGone = file.kind === 'deleted' || (file.kind === 'renamed' && file.path !== oldPath);
  // A Go package is a folder: no code imports a single file of it.
  if (!isGone || language.name === 'go') return [];
  // `./a` can resolve to a.js, a.ts or a/index.ts.
  const isReplaced = code.some(
    (each) => each.file.kind !== 'deleted' && moduleOf(each.file.path) === moduleOf(oldPath),
  );
  if (isReplaced) return [];
  const common = { language, path: oldPath, before: null, after: null };
  return [{ ...common, name: '*', word: '*', isMember: false, rule: 'missing-file', isElsewhere: true }];
}

function alteredIn(changed: ChangedCode, code: readonly ChangedCode[]): AlteredName[] {
  const { file, language, oldPath, before, after } = changed;
  const isGone = file.kind === 'deleted' || file.path !== oldPath;
  // Code that uses a removed or renamed file is found by the file as a whole.
  if (before === null || (isGone && language.name !== 'go')) return [];
  if (after === null && file.kind !== 'deleted') return [];
  // Names that it re-exports by `*` are unknown here.
  if (after !== null && (after.facts.hasOpenExports || after.facts.exports.some(({ name }) => name === '*')))
    return [];
  const found: AlteredName[] = [];
  for (const definition of before.facts.definitions) {
    const parts = definition.name.split('.');
    if (definition.name === 'default' || !isShared(parts[0]!, before.facts, language)) continue;
    const isMember = parts.length > 1;
    const common = { language, name: definition.name, word: parts.at(-1)!, isMember, path: oldPath };
    const now = after?.facts.definitions.find(({ name }) => name === definition.name) ?? null;
    const isGiven = after?.facts.exports.some(({ name }) => name === parts[0]) ?? false;
    const isLost = isMember || language.name === 'go' ? now === null : now === null && !isGiven;
    if (isLost) {
      if (isMember && !(after?.facts.definitions.some(({ name }) => name === parts[0]) ?? false)) continue;
      const others = code.filter((each) => each !== changed && each.language === language);
      const same = others.filter(
        (each) => each.after !== null && definesWord(each.after.facts, definition.name),
      );
      // The files of a Go package share their names.
      const folder = path.posix.dirname(oldPath);
      if (language.name === 'go' && same.some((each) => path.posix.dirname(each.file.path) === folder))
        continue;
      found.push({
        ...common,
        rule: 'removed',
        before: definition,
        after: null,
        isElsewhere: same.length > 0,
      });
    } else if (now !== null && definition.parameters !== null && now.parameters !== null) {
      const altered = { ...common, before: definition, after: now, isElsewhere: false };
      if (now.isAsync && !definition.isAsync && !isMember) found.push({ ...altered, rule: 'made-async' });
      else if (JSON.stringify(definition.parameters) !== JSON.stringify(now.parameters))
        found.push({ ...altered, rule: 'signature' });
    }
  }
  return found;
}

/** Whether other files can use the name. */
function isShared(name: string, facts: CodeFacts, language: Language): boolean {
  return language.name === 'go' || facts.exports.some((each) => each.name === name && each.local === name);
}

/** Whether a file defines the name; the name of a member counts for any class. */
export function definesWord(facts: CodeFacts, wanted: string): boolean {
  const word = wanted.split('.').at(-1)!;
  const isMember = wanted.includes('.');
  return facts.definitions.some(({ name }) => (isMember ? name.endsWith(`.${word}`) : name === word));
}
