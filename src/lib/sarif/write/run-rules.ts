import type { ReportingDescriptor, ReportingDescriptorReference, ToolComponent } from 'sarif';
import { clipText } from '../clip-text.ts';
import { cweTag, numberOf, sortCwe } from '../cwe.ts';
import type { RuleFacts } from '../sarif-rule-facts.ts';
import { FINDING_LIMITS } from '../scan-finding.ts';
import { LEVEL_OF_SEVERITY, SCORE_OF_SEVERITY, SEVERITIES, type Severity } from '../severity.ts';

/** GitHub rejects rules with more tags; all CWEs are in the taxonomy anyway. */
const MAX_TAGS = 20;

type Finding = {
  ruleId: string;
  title: string;
  severity: Severity;
  cwe: readonly string[];
  /** Reported natively as a security finding, without a way to describe the rule. */
  isNative: boolean;
};

type KnownRule = Omit<Finding, 'ruleId'> & { index: number; facts: RuleFacts | null };

/** The entry for a result's rule in the run. */
export type ListedRule = {
  index: number;
  descriptor: Pick<
    RuleFacts,
    'id' | 'name' | 'shortDescription' | 'fullDescription' | 'messageStrings' | 'properties'
  >;
};

/** The rules and CWEs of one run, collected while its results are written. */
export class RunRules {
  readonly #described: ReadonlyMap<string, RuleFacts>;
  readonly #rules = new Map<string, KnownRule>();
  readonly #cwe = new Set<string>();

  constructor(described: ReadonlyMap<string, RuleFacts>) {
    this.#described = described;
  }

  /** Adds a finding to its rule, which is described by its tool or inferred from its findings. */
  add({ ruleId, title, severity, cwe, isNative }: Finding): ListedRule {
    for (const name of cwe) this.#cwe.add(name);
    const facts = this.#described.get(ruleId) ?? null;
    const id = facts?.id ?? ruleId;
    const known = this.#rules.get(id);
    if (!known) {
      // Never blank, because readers would then use another name.
      const text = clipText(title, FINDING_LIMITS.titleLength) || ruleId.trim() || 'Unnamed rule';
      const rule = { index: this.#rules.size, facts, title: text, severity, cwe, isNative };
      this.#rules.set(id, rule);
      return { index: rule.index, descriptor: facts ?? { id, shortDescription: { text } } };
    }
    known.severity = worse(known.severity, severity);
    known.cwe = known.cwe.filter((name) => cwe.includes(name));
    // A score on the rule would also apply to results without their own.
    known.isNative &&= isNative;
    return { index: known.index, descriptor: known.facts ?? { id, shortDescription: { text: known.title } } };
  }

  /** Every rule with the CWEs that all its results share. */
  descriptors(): ReportingDescriptor[] {
    return [...this.#rules].map(([id, rule]) =>
      rule.facts ? describedRule(rule.facts, rule.cwe) : inferredRule(id, rule),
    );
  }

  /** The part of the CWE taxonomy that the run's results refer to. */
  taxonomies(): ToolComponent[] {
    if (this.#cwe.size === 0) return [];
    const names = [...this.#cwe].sort((a, b) => numberOf(a) - numberOf(b));
    return [
      {
        name: 'CWE',
        organization: 'MITRE',
        shortDescription: { text: 'The MITRE Common Weakness Enumeration' },
        informationUri: 'https://cwe.mitre.org/data/index.html',
        taxa: names.map((name) => ({ id: String(numberOf(name)), helpUri: pageOf(name) })),
      },
    ];
  }
}

/** Reference to a CWE in the run's taxonomy. */
export function cweReference(name: string): ReportingDescriptorReference {
  return { id: String(numberOf(name)), toolComponent: { name: 'CWE', index: 0 } };
}

/** The rule as its tool described it. */
function describedRule(
  { level, properties, ...facts }: RuleFacts,
  cwe: readonly string[],
): ReportingDescriptor {
  const tags = Array.isArray(properties?.tags)
    ? [...new Set(properties.tags.filter((tag) => typeof tag === 'string'))].slice(0, MAX_TAGS)
    : undefined;
  return {
    ...withText(facts),
    ...(level && { defaultConfiguration: { level } }),
    ...relationshipsOf(sortCwe(cwe)),
    ...(properties && { properties: { ...properties, tags } }),
  } as ReportingDescriptor;
}

/** The schema requires text alongside markdown. */
function withText(facts: Omit<RuleFacts, 'level' | 'properties'>) {
  const { shortDescription, fullDescription, help } = facts;
  const texts = Object.entries({ shortDescription, fullDescription, help }).flatMap(([name, format]) =>
    format ? [[name, { ...format, text: format.text ?? format.markdown }]] : [],
  );
  return { ...facts, ...Object.fromEntries(texts) };
}

/** A rule that no tool described, inferred from its findings and their worst severity. */
function inferredRule(id: string, { title, severity, cwe, isNative }: KnownRule): ReportingDescriptor {
  const common = sortCwe(cwe);
  const page = common[0] && pageOf(common[0]);
  const isSecurity = isNative || common.length > 0;
  return {
    id,
    shortDescription: { text: title },
    fullDescription: { text: title },
    help: { text: [title, ...common.map((name) => `${name}: ${pageOf(name)}`)].join('\n') },
    ...(page && { helpUri: page }),
    defaultConfiguration: { level: LEVEL_OF_SEVERITY[severity] },
    ...relationshipsOf(common),
    ...(isSecurity && {
      properties: {
        tags: ['security', ...common.map(cweTag)].slice(0, MAX_TAGS),
        precision: 'medium',
        ...(isNative && severity !== 'info' && { 'security-severity': SCORE_OF_SEVERITY[severity] }),
      },
    }),
  };
}

function relationshipsOf(cwe: readonly string[]): Pick<ReportingDescriptor, 'relationships'> {
  if (cwe.length === 0) return {};
  return { relationships: cwe.map((name) => ({ target: cweReference(name), kinds: ['superset'] })) };
}

function worse(a: Severity, b: Severity): Severity {
  return SEVERITIES.indexOf(a) <= SEVERITIES.indexOf(b) ? a : b;
}

function pageOf(name: string): string {
  return `https://cwe.mitre.org/data/definitions/${numberOf(name)}.html`;
}
