import path from 'node:path';
import type { Definition, Parameter } from '../../code/code-facts.ts';
import { misfitOf } from '../../code/impact/call-fit.ts';
import { type AlteredName, definesWord, findAlteredNames } from './altered-names.ts';
import { boundLines } from './bindings.ts';
import type { ChangedCode } from './changed-code.ts';
import { findIdentifiers, type Identifier } from './places-of-names.ts';

/** A file of a commit that breaks if it alone is reverted. */
export interface WithheldPlace {
  /** The path of the file before the commit. */
  readonly path: string;
  readonly language: string;
  /** The rule that should find it. */
  readonly rule: AlteredName['rule'];
  readonly symbol: string;
  /** Whether imports, the package or the scope determine what is used. For methods of values, they do not. */
  readonly isResolvable: boolean;
  /** Lines of the old version that the altered names break. */
  readonly lines: readonly number[];
}

/** Shorter names of methods are too common to be identified by the name alone. */
const minMemberLength = 4;

/** The files that a commit updated because it altered names that they use. */
export async function findWithheldPlaces(
  code: readonly ChangedCode[],
  goModule: string | undefined,
): Promise<WithheldPlace[]> {
  const altered = findAlteredNames(code);
  const found: WithheldPlace[] = [];
  for (const user of code) {
    if (user.file.kind !== 'modified' || user.before === null || user.after === null) continue;
    const broken: WithheldPlace[] = [];
    for (const name of altered) {
      if (name.path === user.oldPath || name.language !== user.language) continue;
      const place = await placeIn(user, name, goModule);
      if (place !== undefined) broken.push(place);
    }
    const [first] = broken.toSorted((a, b) => Number(b.isResolvable) - Number(a.isResolvable));
    if (first === undefined) continue;
    const lines = [...new Set(broken.flatMap((each) => each.lines))].sort((a, b) => a - b);
    found.push({ ...first, lines });
  }
  return found;
}

async function placeIn(
  user: ChangedCode,
  name: AlteredName,
  goModule: string | undefined,
): Promise<WithheldPlace | undefined> {
  const [before, after] = [user.before!, user.after!];
  const bound = boundLines(before.facts, user.oldPath, name, goModule);
  const isUpdated = (lines: readonly number[]) => lines.some((line) => user.removedLines.has(line));
  const place = (lines: readonly number[], isResolvable: boolean): WithheldPlace | undefined =>
    lines.length > 0 && isUpdated(lines)
      ? {
          path: user.oldPath,
          language: user.language.name,
          rule: name.rule,
          symbol: name.word === '*' ? name.path : name.name,
          isResolvable,
          lines,
        }
      : undefined;
  const isLeft = boundLines(after.facts, user.file.path, name, goModule).length > 0;
  if (name.rule === 'missing-file') return isLeft ? undefined : place(bound, true);
  if (definesWord(before.facts, name.name) || (name.isMember && name.word.length < minMemberLength))
    return undefined;
  const isNear = isOfOnePackage(user, name);
  const isBound = bound.length > 0 || isNear || mayBeReexported(user, name);
  // A top-level name that the file does not import, or that its package cannot see, is another one with the same name.
  if (!name.isMember && !isBound) return undefined;
  const old = await findIdentifiers(user.oldPath, before.text, name.word);
  const now = await findIdentifiers(user.file.path, after.text, name.word);
  if (old === undefined || now === undefined) return undefined;
  const lines = old.map(({ line }) => line);
  if (name.rule === 'removed') {
    const isNamedNoMore = bound.length > 0 && !isLeft;
    const isWordGone = !name.isElsewhere && now.length === 0;
    return isNamedNoMore || isWordGone ? place([...bound, ...lines], isBound && !name.isMember) : undefined;
  }
  const isWrong = ruleFor(name);
  const wrong = old.filter(({ line, ...each }) => isWrong(each) && user.removedLines.has(line));
  const isMended = now.some(({ call }) => call !== null) && !now.some(isWrong);
  return isMended
    ? place(
        wrong.map(({ line }) => line),
        isBound && !name.isMember,
      )
    : undefined;
}

/** Returns a test whether a use does not fit the altered definition. */
function ruleFor({ rule, before, after, language, path: file }: AlteredName) {
  return ({ call, isAwaited }: Omit<Identifier, 'line'>): boolean => {
    if (call === null) return false;
    if (rule === 'made-async') return !isAwaited;
    const isStrict = language.isStrict(file);
    return (
      misfitOf(call, parametersOf(before!), isStrict) === null &&
      misfitOf(call, parametersOf(after!), isStrict) !== null
    );
  };
}

/** The parameters that callers pass: for a method, without `self` or `cls`. */
function parametersOf({ kind, parameters }: Definition): readonly Parameter[] {
  return kind === 'method' && /^(?:self|cls)$/.test(parameters![0]?.name ?? '')
    ? parameters!.slice(1)
    : parameters!;
}

function isOfOnePackage({ oldPath, language }: ChangedCode, name: AlteredName): boolean {
  return (
    language.name === 'go' && !name.isMember && path.posix.dirname(oldPath) === path.posix.dirname(name.path)
  );
}

/** Whether the file may import the name through another file of the repository that re-exports it. */
function mayBeReexported({ before, language }: ChangedCode, { word, isMember }: AlteredName): boolean {
  if (isMember || language.name === 'go') return false;
  return before!.facts.imports.some(
    ({ from, imported }) => imported === word && (from.startsWith('.') || language.name === 'python'),
  );
}
