import { isMap, isScalar, isSeq, type Node } from 'yaml';
import type { RuleFinding, RuleSource } from '../../rule-source.ts';
import { findOneByOne } from '../find-one-by-one.ts';
import { describeFinding } from '../rule-facts.ts';
import { readYaml, type YamlDocument } from '../yaml-nodes.ts';
import { type WorkflowRule, workflowTable } from './workflow-table.ts';

interface WorkflowFault {
  readonly rule: WorkflowRule;
  readonly line: number;
  readonly message: string;
}

/** Expressions for the code of a pull request, as the ref or repository of a checkout. */
const head =
  /github\.head_ref|github\.event\.pull_request\.head\.(?:sha|ref|repo)|github\.event\.pull_request\.merge_commit_sha|refs\/pull\//;
const checkoutByHand =
  /\bgh\s+pr\s+checkout\b|\bgit\s+(?:fetch|checkout|pull)\b[^\n]*(?:refs\/pull\/|\bpull\/[^\n]*\/(?:head|merge)\b|pull_request\.head\.)/;
/** Conditions that require somebody's approval, or exclude changes of strangers. */
const guarded =
  /head\.repo\.(?:full_name|fork|owner)|\blabels?\b|author_association|event_name\s*!=\s*'pull_request_target'|event_name\s*==\s*'(?:push|pull_request|workflow_dispatch|schedule|merge_group)'|github\.(?:actor|triggering_actor)|pull_request\.user\.login|\bmerged\b/;

/** Rules for GitHub workflows about the rights that they give away. */
export const workflows: RuleSource = {
  name: 'workflows',
  covers: (path) => /^\.(?:github|gitea|forgejo)\/workflows\/[^/]+\.ya?ml$/.test(path),
  find: findOneByOne(({ text }) =>
    readWorkflow(text)
      .flatMap(faultsIn)
      .map(
        ({ rule, line, message }): RuleFinding => ({
          rule: `workflows/${rule}`,
          startLine: line,
          endLine: line,
          ...describeFinding(workflowTable[rule], message),
        }),
      ),
  ),
};

/** GitHub's expressions look like those of templates, but the file is YAML as it is. */
function readWorkflow(text: string): YamlDocument[] {
  return readYaml(text, { mayHaveBraces: true });
}

function faultsIn(workflow: YamlDocument): WorkflowFault[] {
  const jobs = workflow.field(workflow.root, 'jobs');
  if (!isMap(jobs)) return [];
  const all = jobs.items.map(({ value }) => value as Node);
  const isForStrangers = eventsOf(workflow).includes('pull_request_target');
  return [
    ...[workflow.root, ...all].flatMap((node) => writeAll(workflow, node)),
    ...(isForStrangers ? all.flatMap((job) => checkouts(workflow, job)) : []),
  ];
}

function eventsOf({ root, field, items, text }: YamlDocument): string[] {
  // YAML 1.1 reads `on` as true.
  const on = field(root, 'on') ?? field(root, 'true');
  if (isScalar(on)) return [String(on.value)];
  if (isSeq(on)) return items(on).map((item) => text(item) ?? '');
  return isMap(on) ? on.items.map(({ key }) => (isScalar(key) ? String(key.value) : '')) : [];
}

function writeAll({ text, field, lineOf }: YamlDocument, node: Node | undefined): WorkflowFault[] {
  if (text(node, 'permissions') !== 'write-all') return [];
  return [{ rule: 'write-all', line: lineOf(field(node, 'permissions')!), message: '' }];
}

function checkouts(workflow: YamlDocument, job: Node): WorkflowFault[] {
  const { text, field, items, at, lineOf } = workflow;
  if (guarded.test(text(job, 'if') ?? '') || field(job, 'environment') !== undefined) return [];
  const found = items(field(job, 'steps')).flatMap((step): Node[] => {
    if (guarded.test(text(step, 'if') ?? '')) return [];
    if (/^actions\/checkout@/.test(text(step, 'uses') ?? '')) {
      const places = [at(step, 'with', 'ref'), at(step, 'with', 'repository')];
      return places
        .filter((place) => place !== undefined && head.test(text(place) ?? ''))
        .slice(0, 1) as Node[];
    }
    const run = field(step, 'run');
    return run !== undefined && checkoutByHand.test(text(run) ?? '') ? [run] : [];
  });
  return found.map((node) => ({
    rule: 'pull-request-target-checkout',
    line: lineOf(node),
    message: 'The author of the pull request controls this code',
  }));
}
