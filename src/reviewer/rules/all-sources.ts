import type { AstGrepRule } from '../configuration/read-ast-grep-rules.ts';
import type { AnyRuleSource } from '../rule-source.ts';
import { actionlint } from './actionlint/actionlint.ts';
import { astGrepRules } from './ast-grep/ast-grep.ts';
import { contracts } from './contracts/contracts.ts';
import { dataflow } from './dataflow/dataflow.ts';
import { dependencies } from './dependencies/dependencies.ts';
import { docker } from './docker/docker.ts';
import { kubernetes } from './kubernetes/kubernetes.ts';
import { migrations } from './migrations/migrations.ts';
import { oxlint } from './oxlint/oxlint.ts';
import { patterns } from './patterns/patterns.ts';
import { ruff } from './ruff/ruff.ts';
import { secrets } from './secrets/secrets.ts';
import { shellRules } from './shell/shell.ts';
import { terraform } from './terraform/terraform.ts';
import { text } from './text/text.ts';
import { workflows } from './workflows/workflows.ts';

/** Every source of rules: those that come with Postil, and the organization's own. */
export function allRuleSources(given: {
  /** The PATH to search for installed programs. */
  readonly searchPath: string | undefined;
  readonly astGrepRules?: readonly AstGrepRule[];
}): AnyRuleSource[] {
  const own = given.astGrepRules ?? [];
  return [
    secrets,
    text,
    oxlint,
    ruff,
    actionlint,
    patterns,
    shellRules(given.searchPath),
    dependencies,
    docker,
    terraform,
    kubernetes,
    workflows,
    migrations,
    contracts,
    dataflow,
    ...(own.length === 0 ? [] : [astGrepRules(own)]),
  ];
}
