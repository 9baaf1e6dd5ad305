import { isExample, isTest } from '../../change/file-kinds.ts';
import type { RuleFinding, RuleSource, SourceText } from '../../rule-source.ts';
import { findOneByOne } from '../find-one-by-one.ts';
import { describeFinding } from '../rule-facts.ts';
import { openIngress } from './open-ingress.ts';
import { type HclBlock, readHcl } from './read-hcl.ts';
import { publicBuckets, unencrypted } from './storage.ts';
import { type TerraformFault, terraformTable } from './terraform-table.ts';

const maxLength = 500_000;

/** Rules for Terraform, about literal values: those of variables are not known here. */
export const terraform: RuleSource = {
  name: 'terraform',
  covers: (path) => /\.(?:tf|tofu)$/.test(path),
  understands: ({ text }) => readHcl(text) !== undefined,
  find: findOneByOne(findIn),
};

function findIn({ path, text }: SourceText): RuleFinding[] {
  if (text.length > maxLength || isTest(path) || isExample(path)) return [];
  const resources = readHcl(text)?.blocks.filter(
    ({ type, labels }) => type === 'resource' && labels.length === 2,
  );
  if (resources === undefined) return [];
  const checks: ((resource: HclBlock, all: readonly HclBlock[]) => TerraformFault[])[] = [
    openIngress,
    publicBuckets,
    unencrypted,
  ];
  return resources
    .flatMap((resource) => checks.flatMap((check) => check(resource, resources)))
    .map(({ rule, line, message }) => ({
      rule: `terraform/${rule}`,
      startLine: line,
      endLine: line,
      ...describeFinding(terraformTable[rule], message),
    }));
}
