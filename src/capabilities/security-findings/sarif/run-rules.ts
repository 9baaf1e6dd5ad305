import type { ReportingDescriptor, ReportingDescriptorReference, ToolComponent } from 'sarif';
import { clipText } from './clip-text.ts';
import { numberOf, sortCwe } from './cwe.ts';
import { FINDING_LIMITS, SEVERITIES, type Severity } from './scan-finding.ts';
import { LEVEL_OF_SEVERITY, SCORE_OF_SEVERITY } from './severity.ts';

/** GitHub refuses rules with more tags; all CWEs are in the taxonomy anyway. */
const MAX_TAGS = 20;

type KnownRule = { index: number; title: string; severity: Severity; cwe: readonly string[] };
type RuleFacts = { ruleId: string; title: string; severity: Severity; cwe: readonly string[] };

/** Rules and CWEs of one run, gathered while its results are written. */
export class RunRules {
  readonly #rules = new Map<string, KnownRule>();
  readonly #cwe = new Set<string>();

  /** Index and description under which the run lists the rule of a result. */
  add({ ruleId, title, severity, cwe }: RuleFacts): { index: number; title: string } {
    for (const name of cwe) this.#cwe.add(name);
    const known = this.#rules.get(ruleId);
    if (!known) {
      // Never blank, or a reader would look for a name elsewhere.
      const text = clipText(title, FINDING_LIMITS.titleLength) || ruleId.trim() || 'Unnamed rule';
      const rule = { index: this.#rules.size, title: text, severity, cwe };
      this.#rules.set(ruleId, rule);
      return rule;
    }
    known.severity = worse(known.severity, severity);
    known.cwe = known.cwe.filter((name) => cwe.includes(name));
    return known;
  }

  /** Every rule with its worst severity and the CWEs that all its results share. */
  descriptors(): ReportingDescriptor[] {
    return [...this.#rules].map(([id, rule]) => descriptorOf(id, rule));
  }

  /** The CWE taxonomy, as far as the run's results refer to it. */
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

function descriptorOf(id: string, { title, severity, cwe }: KnownRule): ReportingDescriptor {
  const common = sortCwe(cwe);
  const page = common[0] && pageOf(common[0]);
  return {
    id,
    shortDescription: { text: title },
    fullDescription: { text: title },
    help: { text: [title, ...common.map((name) => `${name}: ${pageOf(name)}`)].join('\n') },
    ...(page && { helpUri: page }),
    defaultConfiguration: { level: LEVEL_OF_SEVERITY[severity] },
    ...(common.length > 0 && {
      relationships: common.map((name) => ({ target: cweReference(name), kinds: ['superset'] })),
    }),
    properties: {
      tags: ['security', ...common.map(tagOf)].slice(0, MAX_TAGS),
      precision: 'medium',
      ...(severity !== 'info' && { 'security-severity': SCORE_OF_SEVERITY[severity] }),
    },
  };
}

function worse(a: Severity, b: Severity): Severity {
  return SEVERITIES.indexOf(a) <= SEVERITIES.indexOf(b) ? a : b;
}

function tagOf(name: string): string {
  return `external/cwe/cwe-${String(numberOf(name)).padStart(3, '0')}`;
}

function pageOf(name: string): string {
  return `https://cwe.mitre.org/data/definitions/${numberOf(name)}.html`;
}
