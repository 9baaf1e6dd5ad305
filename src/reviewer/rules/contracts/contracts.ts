import type { ChangedFile } from '../../change/change.ts';
import { isExample, isFixture, isGeneratedPath, isTest, isVendored } from '../../change/file-kinds.ts';
import type { ContractChange } from '../../review-report.ts';
import type { ChangeRuleSource, ChangeSides, Comparison, PlacedFinding } from '../../rule-source.ts';
import { describeFinding } from '../rule-facts.ts';
import type { ComparedContract } from './compared.ts';
import { type ContractKind, contractTable } from './contract-table.ts';
import type { Difference } from './difference.ts';
import { compareGraphql } from './graphql/compare-graphql.ts';
import { compareOpenapi } from './openapi/compare-openapi.ts';
import { compareProtobuf } from './protobuf/compare-protobuf.ts';

const descriptions = /\.(?:graphqls?|gql|proto)$/i;
/** Files that may describe an API, depending on their content. */
const maybeApi = /\.(?:ya?ml|json)$/i;
const namedApi = /(?:^|[/._-])(?:openapi|swagger|api-?docs?|api-?spec)[^/]*\.(?:ya?ml|json)$/i;
const maxContracts = 100;
/** Matches the predicate of a message, without its subject. */
const whatHappens = / (?:is|was|has|can|must|no longer)\b.*$/;

/** Rules for interface descriptions: finds changes that break clients. */
export const contracts: ChangeRuleSource = {
  name: 'contracts',
  covers: (path) => descriptions.test(path) || namedApi.test(path),
  mayCover: (path) => maybeApi.test(path),
  async compare(sides: ChangeSides, _reviews, signal): Promise<Comparison> {
    const files = sides.change.files.filter(
      ({ path }) => !isTest(path) && !isFixture(path) && !isExample(path) && !isVendored(path),
    );
    const of = (pattern: RegExp) =>
      files.filter(({ path, oldPath }) => pattern.test(path) || pattern.test(oldPath ?? ''));
    const compared = [
      await compareProtobuf(of(/\.proto$/i), signal),
      await compareGraphql(of(/\.(?:graphqls?|gql)$/i), signal),
      await compareOpenapi(of(maybeApi), sides, signal),
    ];
    const told = withoutCopies(compared.flatMap((each) => each.contracts));
    return {
      findings: told.flatMap((contract) => findingsOf(contract, files)),
      unread: [],
      notes: [...compared.flatMap(({ notes }) => notes), ...told.flatMap(notesOf)],
      report: { contracts: told.slice(0, maxContracts).map(asReported) },
    };
  },
};

function asReported({ path, kind, differences }: ComparedContract): ContractChange {
  const breaking = differences.filter(({ isBreaking }) => isBreaking).length;
  return { path, kind, breaking, compatible: differences.length - breaking };
}

/** Leaves out descriptions that are copies of another changed description, or are generated from one. */
function withoutCopies(all: readonly ComparedContract[]): ComparedContract[] {
  const seen: { readonly kind: ContractKind; readonly messages: ReadonlySet<string> }[] = [];
  const changed = all.filter(({ differences }) => differences.length > 0);
  const hasSource = (kind: ContractKind) => changed.some((each) => !each.isGenerated && each.kind !== kind);
  return changed
    .filter(({ isGenerated, kind }) => !isGenerated || !hasSource(kind))
    .sort(
      (a, b) =>
        Number(isGeneratedPath(a.path)) - Number(isGeneratedPath(b.path)) || (a.path < b.path ? -1 : 1),
    )
    .filter(({ kind, differences }) => {
      // Copies are recognized by their breaking changes, if there are any: additions may be in only one of them.
      const broken = differences.filter(({ isBreaking }) => isBreaking);
      const messages = new Set((broken.length > 0 ? broken : differences).map(({ message }) => message));
      const isCopy = seen.some(
        (each) => each.kind === kind && [...messages].every((message) => each.messages.has(message)),
      );
      seen.push({ kind, messages });
      return !isCopy;
    });
}

function findingsOf(
  { path, kind, differences }: ComparedContract,
  files: readonly ChangedFile[],
): PlacedFinding[] {
  const byPath = new Map(
    files.flatMap((file) => [[file.oldPath ?? file.path, file] as const, [file.path, file] as const]),
  );
  const seen = new Set<string>();
  const told = differences.filter(({ isBreaking, message, side, line, path: at }) => {
    // A shared part is reported once, however many places use it; another kind of change to it is reported as well.
    const key = `${at}:${side}:${line}:${message.split('`')[1]}:${whatHappens.exec(message)?.[0]}`;
    return isBreaking && !seen.has(key) && seen.add(key);
  });
  const isDeleted = byPath.get(path)?.kind === 'deleted';
  return (isDeleted ? inOneSentence(told) : told).map(({ message, side, line, path: at }) => {
    const file = byPath.get(at);
    const place = file === undefined ? { side: 'new' as const, line: null } : { side, line };
    return {
      ...describeFinding(contractTable[kind], `${message[0]!.toUpperCase()}${message.slice(1)}`),
      rule: `contracts/${kind}`,
      path: file?.path ?? path,
      side: place.side,
      startLine: place.line,
      endLine: place.line,
    };
  });
}

/** Summarizes the differences of a deleted file in one message. */
function inOneSentence([first, ...others]: readonly Difference[]): Difference[] {
  if (first === undefined) return [];
  if (others.length === 0) return [first];
  const more = others.length === 1 ? 'one more change' : `${others.length} more changes`;
  return [{ ...first, message: `${first.message}, and ${more} because the whole file was deleted` }];
}

/** Notes about additions that clients may receive without knowing them. */
function notesOf({ path, differences }: ComparedContract): string[] {
  const news = differences.filter(({ isNew }) => isNew).map(({ message }) => message);
  if (news.length === 0) return [];
  const more = news.length > 3 ? `, and ${news.length - 3} more` : '';
  return [
    `Clients of ${path} may receive values that they do not know yet: ${news.slice(0, 3).join('; ')}${more}`,
  ];
}
