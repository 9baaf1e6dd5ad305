import { allRules } from '../../redaction/all-rules.ts';
import { kubernetesSecretRule } from '../../redaction/find/find-kubernetes-secrets.ts';
import { privateKeyRule } from '../../redaction/find/find-private-keys.ts';
import { actionlintTable } from './actionlint/actionlint.ts';
import { contractTable } from './contracts/contract-table.ts';
import { dataflowTable } from './dataflow/dataflow-table.ts';
import { lostProtectionTable } from './dataflow/lost-protection/protection-table.ts';
import { dependencyRules } from './dependencies/dependency-rules.ts';
import { dockerTable } from './docker/docker-table.ts';
import { kubernetesTable } from './kubernetes/kubernetes-table.ts';
import { migrationTable } from './migrations/migration-table.ts';
import { oxlintTable } from './oxlint/oxlint-table.ts';
import { patternRules } from './patterns/pattern-rules.ts';
import { treeLanguages } from './patterns/trees/tree-rules.ts';
import { referenceRules } from './references/reference-rules.ts';
import { ruffTable } from './ruff/ruff-table.ts';
import { credentialRule } from './secrets/secrets.ts';
import { shellTable } from './shell/shell-table.ts';
import { terraformTable } from './terraform/terraform-table.ts';
import { textTable } from './text/text.ts';
import { workflowTable } from './workflows/workflow-table.ts';

/** The ids of rules by their source. */
const idsBySource: Readonly<Record<string, () => readonly string[]>> = {
  text: () => Object.keys(textTable),
  oxlint: () => ['syntax', ...Object.keys(oxlintTable).map((id) => id.slice(id.indexOf('/') + 1))],
  ruff: () => Object.keys(ruffTable),
  actionlint: () => actionlintTable.map(([id]) => id),
  patterns: () => [
    ...patternRules.map(({ id }) => id),
    ...treeLanguages.flatMap(({ rules }) => rules.map(({ id }) => id)),
  ],
  shell: () => Object.keys(shellTable),
  references: () => Object.keys(referenceRules),
  dependencies: () => Object.keys(dependencyRules),
  contracts: () => Object.keys(contractTable),
  migrations: () => Object.keys(migrationTable),
  docker: () => Object.keys(dockerTable),
  terraform: () => Object.keys(terraformTable),
  kubernetes: () => Object.keys(kubernetesTable),
  workflows: () => Object.keys(workflowTable),
  dataflow: () => [...Object.keys(dataflowTable), ...Object.keys(lostProtectionTable)],
};

let names: readonly string[] | undefined;

/** The names of all rules that come with Postil. */
export function shippedRules(): readonly string[] {
  const credentials = [...allRules.map(({ id }) => id), privateKeyRule, kubernetesSecretRule];
  const others = Object.entries(idsBySource).flatMap(([source, ids]) => ids().map((id) => `${source}/${id}`));
  names ??= [...new Set([...credentials.map(credentialRule), ...others])].sort();
  return names;
}
