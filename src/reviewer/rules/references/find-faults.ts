import type { Change, ChangedFile } from '../../change/change.ts';
import { isFixture } from '../../change/file-kinds.ts';
import { isGuardedUse } from '../../code/guarded-uses.ts';
import { misfitOf } from '../../code/impact/call-fit.ts';
import { findImpact, type Impact } from '../../code/impact/find-impact.ts';
import { awaitFaults } from '../../code/impact/fit.ts';
import type { Reference } from '../../code/impact/judge-use.ts';
import type { Language } from '../../code/language.ts';
import { RepositoryCode } from '../../code/repository-code.ts';
import { type FindingPlace, maxRelated, type RelatedPlace } from '../../finding.ts';
import type { TreeView } from '../../repository/tree-view.ts';
import type { PlacedFinding } from '../../rule-source.ts';
import { describeFinding } from '../rule-facts.ts';
import { brokenText, lostFileText, placesIn } from './fault-texts.ts';
import { type Copy, findCopies } from './find-copies.ts';
import { findLostFiles, type LostPlace } from './lost-files.ts';
import { canBeImported, isGone } from './lost-imports.ts';
import { findLostPackages, type LostPackage, removedPackages } from './lost-packages.ts';
import { neverRun, notAwaited, notInstalled, type ReferenceRule, referenceRules } from './reference-rules.ts';

export interface ReferenceFaults {
  readonly findings: readonly PlacedFinding[];
  readonly impacts: readonly Impact[];
  readonly notes: readonly string[];
  /** False if the time limit ended the search. */
  readonly isWhole: boolean;
}

/** The languages whose code a change may break: it changes files of theirs, or removes packages that they can import. */
export function concernedBy({ files }: Change, languages: readonly Language[]): Language[] {
  const isOf = (language: Language) => (file: ChangedFile) =>
    language.covers(file.path) ||
    language.covers(file.oldPath ?? file.path) ||
    (isGone(file) && canBeImported(file, language)) ||
    removedPackages(file, language).length > 0;
  return languages.filter((language) => files.some(isOf(language)));
}

/**
 * Compares the repository before and after the change: finds other code that it breaks, and references to things that do not
 * exist.
 */
export async function findReferenceFaults(
  change: Change,
  trees: { readonly base: TreeView; readonly head: TreeView },
  languages: readonly Language[],
  /** Aborted when the time limit is reached; the results so far are returned. */
  ended?: AbortSignal,
): Promise<ReferenceFaults> {
  const findings: PlacedFinding[] = [];
  const impacts: Impact[] = [];
  const notes = new Set<string>();
  const code = concernedBy(change, languages).map((language) => ({
    base: new RepositoryCode(trees.base, language),
    head: new RepositoryCode(trees.head, language),
  }));
  const lost = await findLostFiles(change, trees.head, code, ended);
  for (const { base, head } of code) {
    const impact = await findImpact(change, base, head, ended);
    impacts.push(...impact.impacts);
    for (const note of impact.notes) notes.add(note);
    findings.push(...impact.impacts.map((each) => withoutLost(each, lost)).flatMap(faultsOf));
    findings.push(...(await findLostPackages(change, base, head, ended)).map(lostPackage));
    for (const file of change.files)
      if (head.language.covers(file.path) && file.kind !== 'deleted' && !ended?.aborted)
        findings.push(...(await addedFaults(file, head)));
  }
  for (const [file, places] of lost) findings.push(lostFile(file, [...places, ...usesOf(file, impacts)]));
  findings.push(...(await findCopies(change, trees.head, ended)).map(copied));
  return { findings, impacts, notes: [...notes], isWhole: ended?.aborted !== true };
}

function raise(
  rule: ReferenceRule,
  place: FindingPlace,
  message: string,
  related: readonly RelatedPlace[],
  /** Replaces the reason in the table, which is for most cases. */
  reason?: string,
): PlacedFinding {
  const places = new Map(related.map((each) => [`${each.path}\0${each.startLine}`, each]));
  const [severity, category, title, why] = referenceRules[rule];
  return {
    ...describeFinding(
      [severity, category, title, inWordsOf(place.path, reason ?? why)],
      inWordsOf(place.path, message),
    ),
    ...place,
    rule: `references/${rule}`,
    related: [...places.values()].slice(0, maxRelated),
  };
}

/** What JavaScript calls a promise is a coroutine in Python. */
function inWordsOf(path: string, text: string): string {
  return path.endsWith('.py') ? text.replace(/\b(the|a) promise\b/, '$1 coroutine') : text;
}

/** The findings about one changed symbol: one per rule, at the line of the diff that causes it. */
function faultsOf(impact: Impact): PlacedFinding[] {
  const broken = impact.references.filter(({ fault }) => fault !== null);
  const groups = Map.groupBy(broken, ({ fault }): ReferenceRule => {
    if (fault === awaitFaults.used || fault === awaitFaults.dropped) return 'made-async';
    return fault === 'uses it' ? 'removed' : 'signature';
  });
  return [...groups].map(([rule, references]) => {
    const isDropped = rule === 'made-async' && references.every(({ fault }) => fault === awaitFaults.dropped);
    return raise(
      rule,
      placeOf(impact),
      brokenText(impact, rule, references),
      references.map(relatedOf),
      isDropped ? whyDropped(impact) : undefined,
    );
  });
}

const isUse = ({ fault }: Reference) => fault === 'uses it';

/**
 * Whether a symbol is gone together with its file: then the finding is about the file. Not in Go, where users do not name files.
 */
const goesWith = (impact: Impact, file: ChangedFile) =>
  impact.file === file && impact.after === null && !file.path.endsWith('.go');

function withoutLost(impact: Impact, lost: ReadonlyMap<ChangedFile, unknown>): Impact {
  if (!lost.has(impact.file) || !goesWith(impact, impact.file)) return impact;
  return { ...impact, references: impact.references.filter((each) => !isUse(each)) };
}

function usesOf(file: ChangedFile, impacts: readonly Impact[]): LostPlace[] {
  return impacts
    .filter((impact) => goesWith(impact, file))
    .flatMap(({ symbol, references }) =>
      references.filter(isUse).map(({ path, line }) => ({ path, line, text: `uses ${symbol}` })),
    );
}

function whyDropped({ file }: Impact): string {
  return file.path.endsWith('.py') ? neverRun : notAwaited;
}

function relatedOf({ path, line, fault }: Reference): RelatedPlace {
  return { path, startLine: line, endLine: line, text: fault ?? '' };
}

/** The first line of the diff in the new definition, or otherwise in the removed one. */
function placeOf({ file, before, after, movedTo }: Impact): FindingPlace {
  const lines = file.hunks.flatMap((hunk) => hunk.lines);
  if (after !== null && movedTo === null) {
    const line = lines.find(({ kind, newLine }) => kind === 'added' && isWithin(newLine, after));
    if (line !== undefined)
      return { path: file.path, side: 'new', startLine: line.newLine, endLine: line.newLine };
  }
  const line = lines.find(({ kind, oldLine }) => kind === 'removed' && isWithin(oldLine, before));
  return line === undefined
    ? { path: file.path, side: 'new', startLine: null, endLine: null }
    : { path: file.path, side: 'old', startLine: line.oldLine, endLine: line.oldLine };
}

const isWithin = (line: number | null, { startLine, endLine }: { startLine: number; endLine: number }) =>
  line !== null && line >= startLine && line <= endLine;

function lostFile(file: ChangedFile, lost: readonly LostPlace[]): PlacedFinding {
  const line =
    file.hunks.flatMap((hunk) => hunk.lines).find(({ kind }) => kind === 'removed')?.oldLine ?? null;
  const place = { path: file.path, side: 'old', startLine: line, endLine: line } as const;
  const related = lost.map(({ path, line: at, text }) => ({ path, startLine: at, endLine: at, text }));
  return raise('missing-file', place, lostFileText(file, lost), related);
}

function lostPackage({ name, manifest, line, lost }: LostPackage): PlacedFinding {
  const place = { path: manifest.path, side: 'old', startLine: line, endLine: line } as const;
  const related = lost.map(({ path, line: at }) => ({
    path,
    startLine: at,
    endLine: at,
    text: 'imports it',
  }));
  const message = `\`${manifest.path}\` no longer names \`${name}\`, but it is imported at ${placesIn(lost)}`;
  return raise('removed', place, message, related, notInstalled);
}

function copied({ file, startLine, endLine, existing }: Copy): PlacedFinding {
  const place = { path: file.path, side: 'new', startLine, endLine } as const;
  const message = `Apart from names and formatting, lines ${existing.startLine} to ${existing.endLine} of \`${existing.path}\` are the same`;
  return raise('copied', place, message, [{ ...existing, text: 'the same code' }]);
}

/** Finds added imports that cannot be resolved, and added calls that do not match the parameters. */
async function addedFaults(file: ChangedFile, head: RepositoryCode): Promise<PlacedFinding[]> {
  // Fixtures may be wrong on purpose.
  if (isFixture(file.path)) return [];
  const facts = await head.facts(file.path);
  const found: PlacedFinding[] = [];
  const placed = (line: number): FindingPlace => ({
    path: file.path,
    side: 'new',
    startLine: line,
    endLine: line,
  });
  // All names of one import statement can have the same fault.
  const said = new Set<string>();
  for (const { line, from, imported, isGuarded } of facts?.imports ?? []) {
    if (isGuarded || !file.addedLines.has(line)) continue;
    const fault = await head.importFault(file.path, from, imported);
    if (fault === null || said.has(fault)) continue;
    said.add(fault);
    found.push(raise('unknown-import', placed(line), fault, []));
  }
  for (const use of facts?.uses ?? []) {
    if (use.call === null || !file.addedLines.has(use.line)) continue;
    const target = await head.called(file.path, use);
    if (target?.parameters == null) continue;
    const misfit = misfitOf(use.call, target.parameters, head.language.isStrict(target.path));
    const name = use.members.at(-1) ?? use.name;
    const place = { path: file.path, line: use.line };
    if (misfit === null || (await isGuardedUse(head, place, name, false))) continue;
    const related = {
      path: target.path,
      startLine: target.startLine,
      endLine: target.startLine,
      text: 'is defined here',
    };
    const message = `The call to \`${target.name}\` ${misfit}; the function is at ${placesIn([{ path: target.path, line: target.startLine }])}`;
    found.push(raise('call-mismatch', placed(use.line), message, [related]));
  }
  return found;
}
