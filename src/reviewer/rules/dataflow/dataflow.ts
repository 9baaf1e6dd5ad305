import { maxRelated, type RelatedPlace } from '../../finding.ts';
import { severities } from '../../finding-vocabulary.ts';
import type { ChangeRuleSource, ChangeSides, Comparison, PlacedFinding } from '../../rule-source.ts';
import { describeFinding } from '../rule-facts.ts';
import { dataflowTable, severityFromOthers, slowExpression } from './dataflow-table.ts';
import type { Hit } from './engine/value.ts';
import { FlowFinder, isFollowed } from './find-flows.ts';
import { lostProtections } from './lost-protection/lost-protections.ts';
import { type Flow, NewFlows } from './new-flows.ts';
import { findSlowExpressions, type SlowExpression } from './slow-regex/find-slow.ts';

/** Time limits for all files, and for the regular expressions after them. A rule source as a whole does not get much more. */
const [maxMs, maxWithExpressionsMs] = [30_000, 40_000];

/** Finds untrusted values that reach dangerous places. */
export const dataflow: ChangeRuleSource = {
  name: 'dataflow',
  covers: isFollowed,
  async compare({ change, base, head }: ChangeSides, _reviews, signal): Promise<Comparison> {
    const finders = { base: new FlowFinder(base), head: new FlowFinder(head) };
    const brought = new NewFlows(change, finders);
    const files = change.files.filter(
      ({ path, kind, hunks }) => kind !== 'deleted' && hunks.length > 0 && isFollowed(path),
    );
    const end = performance.now() + maxMs;
    const last = AbortSignal.timeout(maxWithExpressionsMs);
    const flows: Flow[] = [];
    const [unread, cut]: [string[], string[]] = [[], []];
    for (const file of files) {
      signal.throwIfAborted();
      if (performance.now() > end) unread.push(file.path);
      else {
        const found = await brought.of(file);
        flows.push(...found.flows);
        if (!found.isWhole) cut.push(file.path);
      }
      // Yields to the event loop, so that `signal` can be aborted.
      await new Promise((resolve) => setImmediate(resolve));
    }
    const { slow, unchecked } = await findSlowExpressions(change, finders.head, signal, last);
    const found = [...worstOfEach(flows).map(asFinding), ...slow.map(asSlow)];
    const lost = await lostProtections(change, isFollowed);
    return {
      // A removed check is not reported where a flow is: the flow says more.
      findings: [...found, ...lost.filter((each) => !found.some((other) => overlap(each, other)))],
      unread: unread.map((path) => ({ path, reason: 'time' })),
      notes: [
        ...cut.map((path) => `Data flow in ${path} was only partly analyzed: it would take too long`),
        ...unchecked.map(
          (path) =>
            `Not all regular expressions of ${path} were checked for excessive backtracking: it would take too long`,
        ),
      ],
      report: {},
    };
  },
};

const overlap = (one: PlacedFinding, other: PlacedFinding) =>
  one.path === other.path && one.startLine! <= other.endLine! && other.startLine! <= one.endLine!;

const severityOf = ({ rule, label }: Hit) =>
  label.origin === 'request' ? dataflowTable[rule][0] : severityFromOthers;

/** Keeps one flow per sink and rule, and per place that calls the sink's function: the most severe one, then the shortest. */
function worstOfEach(flows: readonly Flow[]): Flow[] {
  const rank = ({ hit }: Flow) => severities.indexOf(severityOf(hit));
  const best = new Map<string, Flow>();
  for (const flow of flows) {
    const { rule, sink, call } = flow.hit;
    const caller = call === null ? '' : `${flow.place.path}\0${flow.place.line}`;
    const key = `${rule}\0${sink.path}\0${sink.line}\0${caller}`;
    const other = best.get(key);
    if (
      other === undefined ||
      rank(flow) < rank(other) ||
      (rank(flow) === rank(other) && flow.hit.label.steps.length < other.hit.label.steps.length)
    )
      best.set(key, flow);
  }
  return lastOfWriters([...best.values()]);
}

/**
 * A function that merges objects writes properties in several places, but refusing some names once fixes all of them. Keeps only
 * the last place.
 */
function lastOfWriters(flows: readonly Flow[]): Flow[] {
  const last = new Map<string, Flow>();
  for (const flow of flows) {
    const { place, hit } = flow;
    const { rule, sink, label } = hit;
    const [source] = label.steps;
    const isOne = rule === 'property-injection' && source !== undefined;
    const key = isOne
      ? `${sink.path}\0${source.path}\0${source.line}`
      : [rule, sink.path, sink.line, place.path, place.line].join('\0');
    const other = last.get(key);
    if (other === undefined || other.hit.sink.line < sink.line) last.set(key, flow);
  }
  return [...last.values()];
}

const from = {
  request: 'a request',
  parameter: 'callers of an exported function',
  outside: 'outside of the program',
};

function asFinding({ hit, place }: Flow): PlacedFinding {
  const { label, into } = hit;
  const message = `\`${label.what}\` comes from ${from[label.origin]} and reaches \`${into}\``;
  return {
    ...describeFinding(dataflowTable[hit.rule], message),
    severity: severityOf(hit),
    rule: `dataflow/${hit.rule}`,
    path: place.path,
    side: 'new',
    startLine: place.line,
    endLine: place.line,
    related: relatedOf(hit),
  };
}

function asSlow({ path, expression: { line }, verdict, hit }: SlowExpression): PlacedFinding {
  const message = `With the input \`${verdict.text.replaceAll('`', '\\x60')}\` (${verdict.length} characters), it runs for seconds`;
  const own: RelatedPlace = { path, startLine: line, endLine: line, text: 'the regular expression' };
  return {
    ...describeFinding(slowExpression, message),
    severity: hit === null ? severityFromOthers : severityOf(hit),
    rule: 'dataflow/slow-regex',
    path,
    side: 'new',
    startLine: line,
    endLine: line,
    related: hit === null ? [own] : relatedOf(hit),
  };
}

/** The steps from the source to the sink. If there are too many, the last ones before the sink are left out. */
function relatedOf({ label, sink }: Hit): RelatedPlace[] {
  const steps = [...label.steps.slice(0, maxRelated - 1), sink];
  return steps.map(({ path, line, text }) => ({ path, startLine: line, endLine: line, text }));
}
