import { actionlintTable } from '../actionlint/actionlint.ts';
import { contractExamples, contractTable } from '../contracts/contract-table.ts';
import { dataflowExamples, dataflowTable } from '../dataflow/dataflow-table.ts';
import { lostProtectionExamples, lostProtectionTable } from '../dataflow/lost-protection/protection-table.ts';
import { dependencyExamples } from '../dependencies/dependency-examples.ts';
import { dependencyRules } from '../dependencies/dependency-rules.ts';
import { dockerExamples, dockerTable } from '../docker/docker-table.ts';
import { kubernetesExamples, kubernetesTable } from '../kubernetes/kubernetes-table.ts';
import { migrationExamples, migrationTable } from '../migrations/migration-table.ts';
import { oxlintTable } from '../oxlint/oxlint-table.ts';
import { patternRules } from '../patterns/pattern-rules.ts';
import { treeLanguages } from '../patterns/trees/tree-rules.ts';
import { referenceRules } from '../references/reference-rules.ts';
import { ruffTable } from '../ruff/ruff-table.ts';
import type { RuleExample } from '../rule-examples.ts';
import type { RuleFacts, RuleTable } from '../rule-facts.ts';
import { shellTable } from '../shell/shell-table.ts';
import { terraformExamples, terraformTable } from '../terraform/terraform-table.ts';
import { textExamples, textTable } from '../text/text.ts';
import { workflowExamples, workflowTable } from '../workflows/workflow-table.ts';
import { weighedRules } from './weighed-rules.ts';

/** A rule as shown on a page. */
interface PageRule {
  readonly id: string;
  readonly facts: RuleFacts;
  /** `before` is the old version of the file, and `given` is any other precondition, if these matter. */
  readonly example?: RuleExample & { readonly before?: string; readonly given?: string };
  /** More examples, for other languages. */
  readonly others?: readonly RuleExample[];
}

interface Page {
  readonly source: string;
  readonly about: string;
  /** Links to public sources that agree. */
  readonly agrees?: readonly string[];
  readonly rules: readonly PageRule[];
}

function ofTable(table: RuleTable, examples: Readonly<Record<string, PageRule['example']>> = {}): PageRule[] {
  return Object.entries(table).map(([id, facts]) => {
    const example = examples[id];
    return { id: id.slice(id.indexOf('/') + 1), facts, ...(example !== undefined && { example }) };
  });
}

/** Collects rules by syntax by their ids: a rule may be defined for several languages. */
function ofPatterns(): PageRule[] {
  const rules = new Map<string, PageRule>();
  for (const { id, message, note, metadata } of patternRules) {
    const { severity, category, cwe } = metadata as {
      severity: RuleFacts[0];
      category: RuleFacts[1];
      cwe: RuleFacts[4];
    };
    if (!rules.has(id)) rules.set(id, { id, facts: [severity, category, message, note ?? '', cwe] });
  }
  for (const { path, rules: own } of treeLanguages)
    for (const { id, facts, example } of own) {
      const known = rules.get(id);
      const shown = { ...example, path };
      rules.set(
        id,
        known === undefined
          ? { id, facts, example: shown }
          : { ...known, others: [...(known.others ?? []), shown] },
      );
    }
  return [...rules.values()];
}

const pages: readonly Page[] = [
  {
    source: 'actionlint',
    about: 'GitHub workflows, by [actionlint](https://github.com/rhysd/actionlint).',
    rules: actionlintTable.map(([id, , , facts]) => ({ id, facts })),
  },
  {
    source: 'contracts',
    about:
      'API descriptions, compared with their previous version. Requests must not accept less: no new required input, no removed parameters, fields or values, no stricter limits. Responses must not lose fields, omit them, or return null or other types where they did not before. New values in a response are mentioned in a note.',
    agrees: [
      '[GraphQL on evolution](https://graphql.org/learn/schema-design/)',
      '[Updating Protocol Buffers](https://protobuf.dev/programming-guides/proto3/#updating)',
      "[buf's breaking rules](https://buf.build/docs/breaking/rules/)",
      "[oasdiff's checks](https://github.com/oasdiff/oasdiff)",
    ],
    rules: ofTable(contractTable, contractExamples),
  },
  {
    source: 'dataflow',
    about:
      'Untrusted input that reaches a dangerous operation, followed through assignments, strings, collections, helper functions and imported files. The severities are those of values from a request; values from callers of an exported function, or from whoever starts the program, are minor. Values that were validated or escaped on the way are not reported, nor are tests, examples and scripts. The rules that end in `-removed`, and `weaker-random`, compare the code with its previous version: in their examples, the file that passes is the one before the change.',
    agrees: [
      '[OWASP on injection](https://owasp.org/Top10/A03_2021-Injection/)',
      '[OWASP cheat sheets](https://cheatsheetseries.owasp.org/)',
      "[CWE's most dangerous weaknesses](https://cwe.mitre.org/top25/)",
    ],
    rules: [
      ...ofTable(dataflowTable, dataflowExamples),
      ...ofTable(lostProtectionTable, lostProtectionExamples),
    ],
  },
  {
    source: 'dependencies',
    about: 'Manifests and lock files, compared with their previous version.',
    rules: ofTable(dependencyRules, dependencyExamples),
  },
  {
    source: 'docker',
    about:
      'Dockerfiles, and `image` in Compose files. Not reported: values that variables decide, stages of the same file, templates, examples and tests.',
    agrees: [
      '[Best practices of Docker](https://docs.docker.com/build/building/best-practices/)',
      "[Docker's build checks](https://docs.docker.com/reference/build-checks/)",
      "[hadolint's rules](https://github.com/hadolint/hadolint)",
    ],
    rules: ofTable(dockerTable, dockerExamples),
  },
  {
    source: 'kubernetes',
    about:
      'Kubernetes manifests. Not reported: templates (Helm, Jinja), patches, and host paths of DaemonSets, which run agents of the node.',
    agrees: [
      '[Pod Security Standards](https://kubernetes.io/docs/concepts/security/pod-security-standards/)',
      '[Resource management](https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/)',
      '[Images](https://kubernetes.io/docs/concepts/containers/images/)',
    ],
    rules: ofTable(kubernetesTable, kubernetesExamples),
  },
  {
    source: 'migrations',
    about:
      'PostgreSQL migrations that a change adds, for tables that already exist. A comment with `postil-ignore`, `squawk-ignore` or `safety-assured` before a statement suppresses the finding.',
    agrees: [
      '[ALTER TABLE](https://www.postgresql.org/docs/current/sql-altertable.html)',
      '[Explicit locking](https://www.postgresql.org/docs/current/explicit-locking.html)',
      "[squawk's rules](https://squawkhq.com/docs/rules)",
    ],
    rules: ofTable(migrationTable, migrationExamples),
  },
  {
    source: 'oxlint',
    about: 'JavaScript and TypeScript, by [oxlint](https://oxc.rs/docs/guide/usage/linter/rules).',
    rules: ofTable(oxlintTable),
  },
  {
    source: 'patterns',
    about:
      'JavaScript, TypeScript, Python and Go, by syntax; a few rules each for Java, Kotlin, C#, C and C++, Rust, Ruby and PHP. Not in tests, examples and scripts.',
    agrees: [
      '[OWASP cheat sheets](https://cheatsheetseries.owasp.org/)',
      '[SEI CERT](https://wiki.sei.cmu.edu/confluence/display/seccode)',
      "[.NET's security rules](https://learn.microsoft.com/dotnet/fundamentals/code-analysis/quality-rules/security-warnings)",
      '[Find Security Bugs](https://find-sec-bugs.github.io/bugs.htm)',
      '[the security guide of Rails](https://guides.rubyonrails.org/security.html)',
      "[PHP's manual](https://www.php.net/manual/en/security.php)",
    ],
    rules: ofPatterns(),
  },
  {
    source: 'references',
    about: 'Effects of the change on the rest of the repository, in JavaScript, TypeScript, Python and Go.',
    rules: ofTable(referenceRules),
  },
  {
    source: 'ruff',
    about: 'Python, by [Ruff](https://docs.astral.sh/ruff/rules/).',
    rules: ofTable(ruffTable),
  },
  {
    source: 'shell',
    about: 'Shell scripts, by [ShellCheck](https://www.shellcheck.net/wiki/) where it is installed.',
    rules: ofTable(shellTable),
  },
  {
    source: 'terraform',
    about:
      'Terraform and OpenTofu, where values are literals; ports 80 and 443 may be public, and so may buckets of websites.',
    agrees: [
      '[Security groups](https://docs.aws.amazon.com/vpc/latest/userguide/vpc-security-groups.html)',
      '[Blocking public access to S3](https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html)',
      '[Encrypting RDS](https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/Overview.Encryption.html)',
    ],
    rules: ofTable(terraformTable, terraformExamples),
  },
  { source: 'text', about: 'Any file.', rules: ofTable(textTable, textExamples) },
  {
    source: 'workflows',
    about:
      'GitHub workflows that give the permissions of the repository to outsiders, or to every step. Not reported where a label, the author or an environment guards the job.',
    agrees: [
      '[Security hardening of GitHub Actions](https://docs.github.com/en/actions/security-for-github-actions/security-guides/security-hardening-for-github-actions)',
      '[Preventing pwn requests](https://securitylab.github.com/resources/github-actions-preventing-pwn-requests/)',
    ],
    rules: ofTable(workflowTable, workflowExamples),
  },
];

const notice = '<!-- Made from the tables of rules by `npm run generate`. -->';

/** The pages of all sources whose rules are in tables, by file name. */
export function rulePages(): ReadonlyMap<string, string> {
  const index = pages.map(
    ({ source, about, rules }) =>
      `| [\`${source}\`](${source}.md) | ${rules.length} | ${about.split('. ')[0]!.replace(/\.$/, '')} |`,
  );
  const overview = `${notice}\n# Rules\n\n| Source | Rules | About |\n| --- | --- | --- |\n${index.join('\n')}\n\nCredentials (\`secrets\`) are recognized by the formats of some hundred vendors and by names; an organization can add its own rules. The severity of a rule follows from the damage that the fault causes ([Reviews](../review.md)). [Why some rules of linters are used and others are not](evidence.md).\n`;
  return new Map([
    ['README.md', overview],
    ['evidence.md', evidenceText()],
    ...pages.map((page) => [`${page.source}.md`, pageText(page)] as const),
  ]);
}

/** The page about the evidence for and against rules of linters. */
function evidenceText(): string {
  const severities = new Map(
    pages.flatMap(({ source, rules }) => rules.map(({ id, facts }) => [`${source}/${id}`, facts[0]])),
  );
  const rows = weighedRules.map(
    ([rule, isUsed, right, wrong, why]) =>
      `| \`${rule}\` | ${isUsed ? severities.get(rule) : 'not used'} | ${right} | ${wrong} | ${why} |`,
  );
  return `${notice}\n# Rules of linters, chosen by evidence\n\nThe security rules of Ruff and oxlint, and other rules for which collections of known bugs provide evidence. Only the cases with even numbers were used. For Ruff, these are the cases of OWASP BenchmarkPython, where a report on a harmless case counts as wrong; for oxlint, those of SecBench.js, where a report more than three lines away from the vulnerability counts as wrong. The counts are those of the linter by itself. Faults that depend on the origin of a value are left to [\`dataflow\`](dataflow.md).\n\n| Rule | Severity | Right | Wrong | Why |\n| --- | --- | --- | --- | --- |\n${rows.join('\n')}\n`;
}

function pageText({ source, about, agrees = [], rules }: Page): string {
  const see = agrees.length === 0 ? '' : `\nPublic sources that agree: ${agrees.join(', ')}.\n`;
  return `${notice}\n# ${source}\n\n${about}\n${see}\n${rules.map((rule) => ruleText(source, rule)).join('\n')}`;
}

function ruleText(
  source: string,
  { id, facts: [severity, category, title, why, cwe], example, others = [] }: PageRule,
): string {
  const weakness =
    cwe === undefined
      ? ''
      : ` · [${cwe}](https://cwe.mitre.org/data/definitions/${cwe.slice('CWE-'.length)}.html)`;
  const told = `## ${source}/${id}\n${severity} · ${category}${weakness}\n\n${title}. ${why}\n`;
  const more = others.map(exampleText).join('');
  return `${told}${example === undefined ? '' : exampleText(example)}${more}`;
}

function exampleText(example: NonNullable<PageRule['example']>): string {
  const before = example.before === undefined ? [] : [fenced('Before', example.before)];
  const given = example.given === undefined ? '' : `, ${example.given}`;
  return `\nIn \`${example.path}\`${given}:\n${[...before, fenced('Fails', example.fails), fenced('Passes', example.passes)].join('')}`;
}

const fenced = (title: string, text: string) => `\n${title}:\n\`\`\`\n${text.trimEnd()}\n\`\`\`\n`;
