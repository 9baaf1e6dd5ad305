import type { Change } from '../../../change/change.ts';
import { isCode } from '../../../change/file-kinds.ts';
import { maxRelated } from '../../../finding.ts';
import type { PlacedFinding } from '../../../rule-source.ts';
import { describeFinding } from '../../rule-facts.ts';
import { silencedLines } from '../../silenced-lines.ts';
import { lostIn } from './find-lost.ts';
import type { LostProtection } from './lost-protection.ts';
import { lostProtectionTable } from './protection-table.ts';

/** Finds protections that were removed from these files, unless an added line of the change has them. */
export async function lostProtections(
  { files }: Change,
  isFollowed: (path: string) => boolean,
): Promise<PlacedFinding[]> {
  const findings: PlacedFinding[] = [];
  for (const file of files) {
    if (file.kind === 'added' || file.kind === 'deleted' || file.hunks.length === 0) continue;
    if (!isFollowed(file.path)) continue;
    const text = (await file.newText()) ?? '';
    const isSilenced = silencedLines(text, 'flows');
    const lost = lostIn(file, text.split('\n')).filter(
      (each) => !isSilenced(each.startLine) && !hasMoved(each, files),
    );
    findings.push(...lastOfEach(lost).map((each) => asFinding(file.path, each, lost)));
  }
  return findings;
}

const kindOf = ({ rule, cwe }: LostProtection) => `${rule}\0${cwe}`;

/** Removals of one kind in a file were one decision: keeps the last, and the finding names the others. */
const lastOfEach = (lost: readonly LostProtection[]) => [
  ...new Map(lost.map((each) => [kindOf(each), each])).values(),
];

const hasMoved = ({ movedBy }: LostProtection, files: Change['files']) =>
  files.some(
    ({ path, hunks }) =>
      isCode(path) &&
      hunks.some(({ lines }) => lines.some(({ kind, text }) => kind === 'added' && movedBy.test(text))),
  );

function asFinding(path: string, lost: LostProtection, all: readonly LostProtection[]): PlacedFinding {
  const others = all.filter((each) => each !== lost && kindOf(each) === kindOf(lost));
  const facts = describeFinding(lostProtectionTable[lost.rule], lost.message);
  const { startLine, endLine, cwe } = lost;
  return {
    ...facts,
    confidence: 'likely',
    cwe: cwe ?? facts.cwe,
    rule: `dataflow/${lost.rule}`,
    path,
    side: 'new',
    startLine,
    endLine,
    related: others.slice(0, maxRelated).map((each) => ({
      path,
      startLine: each.startLine,
      endLine: each.endLine,
      text: 'here as well',
    })),
  };
}
