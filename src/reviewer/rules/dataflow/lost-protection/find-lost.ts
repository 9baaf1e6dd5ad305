import type { ChangedFile } from '../../../change/change.ts';
import { type Edit, editsOf } from './edits.ts';
import { lostChecks, lostSteps, shorterLists } from './lost-checks.ts';
import { lostCleaning, lostEntities } from './lost-cleaning.ts';
import type { LostProtection } from './lost-protection.ts';

/** Finds protections that a file has lost, without looking at other files; `lines` are those of its new version. */
export function lostIn(file: ChangedFile, lines: readonly string[]): LostProtection[] {
  const edits = editsOf(file);
  const added = edits.flatMap((edit) => edit.added.map(({ text }) => text)).join('\n');
  return edits.flatMap((edit) => [
    ...lostCleaning(edit, added),
    ...lostEntities(edit, lines, added),
    ...lostChecks(edit, lines, added),
    ...shorterLists(edit),
    ...lostSteps(edit, added),
    ...weakerRandom(edit, edits, lines),
  ]);
}

const secureRandom =
  /random_?bytes|getRandomValues|crypto\.random|randomUUID|math-?random['"(]|secure_?random|SystemRandom|\bsecrets\.\w+\(|urandom|crypto\/rand|\bnanoid\b|\buuid/i;
const weakRandom =
  /\bMath\.random\(|(?<![\w.])random\.(?:choices?|random|randint|randrange|sample|getrandbits)\(/;

/** Predictable random numbers that replaced secure ones, in files that do not use secure ones otherwise. */
function weakerRandom({ added }: Edit, edits: readonly Edit[], lines: readonly string[]): LostProtection[] {
  const now = added.find(({ text }) => weakRandom.test(text));
  if (now === undefined || lines.some((line) => secureRandom.test(line))) return [];
  const removed = edits.flatMap((edit) => edit.removed);
  const before = removed.find(({ text }) => secureRandom.test(text));
  if (before === undefined || removed.some(({ text }) => weakRandom.test(text))) return [];
  return [
    {
      rule: 'weaker-random',
      startLine: now.number,
      endLine: now.number,
      message: `Until now, they came from \`${secureRandom.exec(before.text)![0].replace('(', '')}\``,
      movedBy: /(?!)/,
    },
  ];
}
