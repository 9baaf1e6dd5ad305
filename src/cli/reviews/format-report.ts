import { shownPath } from '../../redaction/shown-path.ts';
import {
  type Area,
  countUses,
  type DependencyChange,
  type ImpactEntry,
  type Report,
} from '../../reviewer/review-report.ts';
import { onOneLine, type Paint, plural } from './terminal-text.ts';

const maxAreas = 10;
const maxNames = 6;
const maxPaths = 8;
const maxImpact = 8;
const maxPlaces = 5;
const maxTogether = 5;
const maxDependencies = 12;
const maxContracts = 10;
const maxStanding = 5;
const maxLength = 120;

const levelColours = { low: 'green', medium: 'yellow', high: 'red' } as const;
const changes: Record<ImpactEntry['change'], string> = {
  removed: 'was removed',
  renamed: 'was renamed',
  signature: 'has different parameters',
  made_async: 'is now asynchronous',
  moved: 'was moved',
};

/** The report for a terminal: sections with a label; empty sections are left out. */
export function formatReport(report: Report, paint: Paint): string {
  const { walkthrough, risk } = report;
  const sections: [label: string, lines: readonly string[]][] = [
    [
      'Risk',
      [
        `${paint(levelColours[risk.level], risk.level)}${risk.reasons.map((each) => `; ${each}`).join('')}`.replace(
          '; ',
          ': ',
        ),
      ],
    ],
    ['Changed', areaLines(walkthrough.areas, walkthrough.total_areas, paint)],
    ['Moved', pathLines(walkthrough.moved_only, walkthrough.moved_only.length)],
    [
      'Read',
      walkthrough.reading_order.length < 3
        ? []
        : pathLines(walkthrough.reading_order, walkthrough.reading_order.length),
    ],
    ['Impact', impactLines(report, paint)],
    ['Packages', dependencyLines(report, paint)],
    ['Contracts', contractLines(report, paint)],
    ['Coverage', coverageLines(report, paint)],
    ['Usually', togetherLines(report)],
    ['Before', preexistingLines(report, paint)],
    [
      'Reviewers',
      report.reviewers.map(({ username, reason }) => `${onOneLine(username)} ${paint('gray', reason)}`),
    ],
  ];
  const width = Math.max(...sections.map(([label]) => label.length));
  return sections
    .flatMap(([label, lines]) =>
      lines.map((line, index) =>
        `${paint('bold', (index === 0 ? label : '').padEnd(width))}  ${line}`.trimEnd(),
      ),
    )
    .join('\n');
}

function areaLines(areas: readonly Area[], total: number, paint: Paint): string[] {
  const shown = areas.slice(0, maxAreas);
  const texts = shown.map(
    (area) =>
      [
        onOneLine(area.path),
        plural(area.files, 'file'),
        `+${area.added} -${area.removed}`,
        symbolsOf(area),
      ] as const,
  );
  const widths = [0, 1, 2].map((column) => Math.max(0, ...texts.map((text) => text[column]!.length)));
  const lines = texts.map(([path, files, counts, symbols]) =>
    `${path.padEnd(widths[0]!)}  ${files.padEnd(widths[1]!)}  ${counts.padEnd(widths[2]!)}  ${paint('gray', symbols)}`.trimEnd(),
  );
  return areas.length > maxAreas ? [...lines, `and ${total - maxAreas} more folders`] : lines;
}

function symbolsOf({ symbols }: Area): string {
  const say = (verb: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${verb} ${shortList(names.map(onOneLine), maxNames)}`];
  return [
    ...say('adds', symbols.added),
    ...say('changes', symbols.changed),
    ...say('removes', symbols.removed),
  ].join('; ');
}

function shortList(names: readonly string[], max: number): string {
  if (names.length <= max) return names.join(', ');
  return `${names.slice(0, max).join(', ')} and more`;
}

function pathLines(paths: readonly string[], total: number): string[] {
  if (paths.length === 0) return [];
  const shown = paths.slice(0, maxPaths).map((path) => onOneLine(path).slice(-maxLength));
  return total > maxPaths ? [...shown, `and ${total - maxPaths} more`] : shown;
}

function impactLines({ impact, total_impact }: Report, paint: Paint): string[] {
  const lines = impact.slice(0, maxImpact).flatMap((entry) => {
    const broken = entry.references.filter(({ state }) => state === 'broken');
    const counts = countUses(entry);
    const to = entry.renamed_to === null ? '' : `, now ${onOneLine(entry.renamed_to)}`;
    const uses = [
      plural(entry.total_references, 'use'),
      ...(counts.broken === null ? [] : [paint('red', counts.broken)]),
      ...(counts.left === null ? [] : [counts.left]),
    ];
    return [
      `${onOneLine(entry.symbol)} ${changes[entry.change]}${to}: ${uses.join(', ')}  ${paint('gray', `${onOneLine(entry.path)}:${entry.line}`)}`,
      ...broken.slice(0, maxPlaces).map(({ path, line }) => `  ${onOneLine(path)}:${line}`),
    ];
  });
  return total_impact > maxImpact ? [...lines, `and ${total_impact - maxImpact} more`] : lines;
}

function dependencyLines({ dependencies, total_dependencies: total }: Report, paint: Paint): string[] {
  // Indirect dependencies are numerous, and nobody has chosen them, so only vulnerable ones are listed.
  const chosen = dependencies.filter(({ direct, vulnerabilities }) => direct || vulnerabilities.length > 0);
  const lines = chosen.slice(0, maxDependencies).map((entry) => dependencyLine(entry, paint));
  const left = total - lines.length;
  if (left === 0) return lines;
  if (lines.length === 0) return [plural(left, 'indirect package')];
  return [...lines, `and ${left} ${chosen.length > lines.length ? 'more' : 'indirect'}`];
}

function dependencyLine(
  { name, from, to, kind, manifest, vulnerabilities }: DependencyChange,
  paint: Paint,
): string {
  const versions = [from, to]
    .filter((version) => version !== null && version !== '')
    .map((each) => onOneLine(each!));
  const affected =
    vulnerabilities.length === 0
      ? ''
      : `  ${paint('red', shortList(vulnerabilities.map(onOneLine), maxNames))}`;
  return `${onOneLine(name)} ${kind} ${versions.join(' to ')}${affected}  ${paint('gray', onOneLine(manifest))}`;
}

function contractLines({ contracts }: Report, paint: Paint): string[] {
  const lines = contracts.slice(0, maxContracts).map(({ path, kind, breaking, compatible }) => {
    const worst = breaking === 0 ? 'nothing breaking' : paint('red', `${breaking} breaking`);
    return `${onOneLine(path)} ${paint('gray', `(${kind})`)}: ${worst}, ${compatible} compatible`;
  });
  return contracts.length > maxContracts ? [...lines, `and ${contracts.length - maxContracts} more`] : lines;
}

/** The share of each file's added lines that tests run, largest gaps first. */
function coverageLines({ checks }: Report, paint: Paint): string[] {
  return checks.flatMap(({ files = [], total_files = 0 }) => {
    const lines = files.slice(0, maxPaths).map(({ path, lines: all, run }) => {
      const share = `tests run ${run} of ${plural(all, 'executable added line')}`;
      return `${onOneLine(shownPath(path)).slice(-maxLength)}  ${run < all ? paint('yellow', share) : share}`;
    });
    const more = total_files - lines.length;
    return more > 0 ? [...lines, `and ${plural(more, 'more file')}`] : lines;
  });
}

function togetherLines({ together, total_together }: Report): string[] {
  const lines = together
    .slice(0, maxTogether)
    .map(
      ({ path, usually_with, times, of }) =>
        `${onOneLine(usually_with)} changes with ${onOneLine(path)} (${times} of ${of} times), but not here`,
    );
  return total_together > maxTogether ? [...lines, `and ${total_together - maxTogether} more`] : lines;
}

function preexistingLines({ preexisting, total_preexisting: total }: Report, paint: Paint): string[] {
  if (total === 0) return [];
  const shown = preexisting
    .slice(0, maxStanding)
    .map(
      ({ path, start_line, severity, title, rule }) =>
        `${onOneLine(path)}:${start_line}  ${severity}  ${onOneLine(title)}  ${paint('gray', onOneLine(rule))}`,
    );
  const rest = total - shown.length;
  return [
    `${plural(total, 'finding')} on lines that did not change`,
    ...shown.map((line) => `  ${line}`),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ];
}
