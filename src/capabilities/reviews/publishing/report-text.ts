import {
  type Area,
  countUses,
  type DependencyChange,
  type ImpactEntry,
  type Report,
} from '../../../reviewer/review-report.ts';
import { asCode, safeLine } from './safe-text.ts';

/** The maximum number of entries in each list; the others are in the review itself. */
const maxImpact = 10;
const maxPlaces = 5;
const maxTogether = 5;
const maxDependencies = 20;
const maxContracts = 10;
const maxAreas = 20;
const maxNames = 8;
const maxPaths = 20;
const maxStanding = 10;
/** Of one list; names can be long. */
const maxListLength = 4_000;
const maxNamesLength = 1_000;

const changes: Readonly<Record<ImpactEntry['change'], string>> = {
  removed: 'was removed',
  renamed: 'was renamed',
  signature: 'has different parameters',
  made_async: 'is now asynchronous',
  moved: 'was moved',
};

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
/** As many of the texts as fit, from the first. */
function fitting(texts: readonly string[], max: number, maxLength: number): readonly string[] {
  let length = 0;
  const first = texts.slice(0, max);
  const end = first.findIndex((text) => {
    length += text.length;
    return length > maxLength;
  });
  return end === -1 ? first : first.slice(0, end);
}
/** Names, each formatted as code, and the number of those left out. */
function codes(names: readonly string[], max: number): string[] {
  const shown = fitting(names.slice(0, max).map(asCode), max, maxNamesLength);
  return names.length > shown.length ? [...shown, `${names.length - shown.length} more`] : [...shown];
}
/** The lines of a list, and the number of those left out. */
function lines(texts: readonly string[], max: number, total: number): string[] {
  const shown = fitting(texts, max, maxListLength);
  return total > shown.length ? [...shown, `- and ${total - shown.length} more`] : [...shown];
}

/** What readers need first: how closely to look, and who else could review. */
export function guidanceText({ risk, reviewers }: Report): string[] {
  const reasons = risk.reasons.length === 0 ? '' : `: ${risk.reasons.join('; ')}`;
  const who = reviewers.map(({ username, reason }) => `${asCode(username)} (${reason})`);
  return [
    `Risk: **${risk.level}**${reasons}.`,
    ...(who.length === 0 ? [] : [`Suggested reviewers: ${who.join(', ')}.`]),
  ];
}

/** The effects of the change on code that it does not touch. */
export function impactText({ impact, total_impact, together }: Report): string[] {
  const changed = lines(impact.slice(0, maxImpact).map(impactLine), maxImpact, total_impact);
  const left = together
    .slice(0, maxTogether)
    .map(
      ({ path, usually_with, times, of }) =>
        `- ${asCode(usually_with)} usually changes with ${asCode(path)} (${times} of ${of} times), but not here`,
    );
  const all = [...changed, ...left];
  return all.length === 0 ? [] : [`#### Impact\n\n${all.join('\n')}`];
}

/** Changes of interface descriptions (such as OpenAPI) that others rely on. */
export function contractsText({ contracts }: Report): string[] {
  const texts = contracts
    .slice(0, maxContracts)
    .map(
      ({ path, kind, breaking, compatible }) =>
        `- ${asCode(path)} (${kind}): ${breaking} breaking, ${compatible} compatible`,
    );
  return texts.length === 0
    ? []
    : [`#### Contracts\n\n${lines(texts, maxContracts, contracts.length).join('\n')}`];
}

function impactLine(entry: ImpactEntry): string {
  const { symbol, renamed_to, path, line, change, references, total_references } = entry;
  const broken = references.filter(({ state }) => state === 'broken');
  const counts = countUses(entry);
  const to = renamed_to === null ? '' : `, now ${asCode(renamed_to)}`;
  const places = codes(
    broken.map((each) => `${each.path}:${each.line}`),
    maxPlaces,
  );
  const facts = [
    plural(total_references, 'use'),
    ...(counts.broken === null ? [] : [`**${counts.broken}** (${places.join(', ')})`]),
    ...(counts.left === null ? [] : [counts.left]),
  ];
  return `- ${asCode(symbol)} ${changes[change]}${to} (${asCode(`${path}:${line}`)}): ${facts.join(', ')}`;
}

/** Changes of third-party packages. */
export function dependenciesText({ dependencies, total_dependencies: total }: Report): string[] {
  if (total === 0) return [];
  const shown = dependencies.filter(({ direct, vulnerabilities }) => direct || vulnerabilities.length > 0);
  const texts = shown.slice(0, maxDependencies).map(dependencyLine);
  const told = fitting(texts, maxDependencies, maxListLength);
  const left = total - told.length;
  const rest = left > 0 && told.length > 0 ? [`- and ${left} more`] : [];
  const counts = told.length === 0 ? [`${plural(total, 'indirect package')} changed.`] : [];
  return [`#### Dependencies\n\n${[...told, ...rest, ...counts].join('\n')}`];
}

function dependencyLine({
  name,
  from,
  to,
  kind,
  manifest,
  licence,
  vulnerabilities,
}: DependencyChange): string {
  const versions = [from, to]
    .filter((version) => version !== null && version !== '')
    .map((each) => asCode(each!));
  const facts = [asCode(manifest), ...(licence === null ? [] : [asCode(licence)])];
  const known = codes(vulnerabilities, maxPlaces).join(', ');
  const affected = vulnerabilities.length === 0 ? '' : `: **affected by ${known}**`;
  return `- ${asCode(name)} ${kind} ${versions.join(' → ')} (${facts.join(', ')})${affected}`;
}

/** A summary of the change, collapsed because its author knows it. */
export function walkthroughText({ walkthrough }: Report): string[] {
  const { areas, total_areas, reading_order: order, moved_only: moved } = walkthrough;
  if (areas.length === 0) return [];
  const parts = [
    lines(areas.slice(0, maxAreas).map(areaLine), maxAreas, areas.length).join('\n'),
    ...(order.length < 3 ? [] : [`Suggested reading order: ${codes(order, maxPaths).join(', ')}.`]),
    ...(moved.length === 0 ? [] : [`Only moved: ${codes(moved, maxPaths).join(', ')}.`]),
  ];
  const files = areas.reduce((sum, area) => sum + area.files, 0);
  const title = `Walkthrough: ${plural(files, 'file')} in ${plural(total_areas, 'folder')}`;
  return [`<details><summary>${title}</summary>\n\n${parts.join('\n\n')}\n\n</details>`];
}

function areaLine({ path, files, added, removed, symbols }: Area): string {
  const say = (verb: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${verb} ${codes(names, maxNames).join(', ')}`];
  const said = [
    ...say('adds', symbols.added),
    ...say('changes', symbols.changed),
    ...say('removes', symbols.removed),
  ];
  const what = said.length === 0 ? '' : `: ${said.join('; ')}`;
  return `- ${asCode(path)} (${plural(files, 'file')}, +${added} -${removed})${what}`;
}

/** Findings in unchanged code, collapsed and apart from the others, because the change did not cause them. */
export function standingText(
  { preexisting, total_preexisting: total }: Report,
  repositoryUrl: string,
): string[] {
  if (total === 0) return [];
  const said = preexisting
    .slice(0, maxStanding)
    .map(
      ({ path, start_line, severity, title, rule }) =>
        `- ${asCode(`${path}:${start_line}`)}: ${severity}: ${safeLine(title, repositoryUrl)} (${asCode(rule)})`,
    );
  const summary = `Already there, on lines that did not change: ${plural(total, 'finding')}`;
  return [
    `<details><summary>${summary}</summary>\n\n${lines(said, maxStanding, total).join('\n')}\n\n</details>`,
  ];
}
