import type { SarifLevel } from '../severity.ts';
import type {
  Component,
  ComponentReference,
  Descriptor,
  Reference,
  SarifResult,
  SarifRun,
} from './sarif-shape.ts';

export type FoundRule = { id: string | null; descriptor: Descriptor | null; component: Component };

export type RuleIndex = {
  ruleOf(result: SarifResult): FoundRule;
  /** The level configured by an invocation or, failing that, the rule's default. */
  levelOf(descriptor: Descriptor | null): SarifLevel;
};

/** Finds the rule of a result by index, id (`CA1000/1` is a kind of `CA1000`) or reference into an extension. */
export function indexRules(run: SarifRun): RuleIndex {
  const { driver } = run.tool;
  const extensions = run.tool.extensions ?? [];
  const rulesById = new Map([driver, ...extensions].map((component) => [component, byId(component)]));

  const find = (reference: Partial<Reference>): Omit<FoundRule, 'id'> => {
    const named = findComponent(extensions, reference.toolComponent);
    const component = named ?? driver;
    const indexed = component.rules?.[reference.index ?? -1];
    if (indexed && (reference.id == null || isSameOrChildId(reference.id, indexed.id))) {
      return { descriptor: indexed, component };
    }
    for (const candidate of named ? [named] : [driver, ...extensions]) {
      const descriptor = findByIdOrParentId(rulesById.get(candidate), reference.id);
      if (descriptor) return { descriptor, component: candidate };
    }
    return { descriptor: null, component };
  };

  const levels = new Map<Descriptor, SarifLevel>();
  for (const invocation of run.invocations ?? []) {
    for (const { descriptor, configuration } of invocation.ruleConfigurationOverrides ?? []) {
      const found = descriptor && find(descriptor).descriptor;
      if (found && configuration?.level) levels.set(found, configuration.level);
    }
  }

  return {
    ruleOf(result) {
      const id = result.ruleId || result.rule?.id || null;
      const index = result.rule?.index ?? result.ruleIndex;
      const found = find({ id, index, toolComponent: result.rule?.toolComponent });
      return { id: id ?? found.descriptor?.id ?? null, ...found };
    },
    levelOf(descriptor) {
      const configured = descriptor ? levels.get(descriptor) : undefined;
      return configured ?? descriptor?.defaultConfiguration?.level ?? 'warning';
    },
  };
}

/** Finds the component that a reference names by index, guid or name; undefined for the driver itself. */
export function findComponent(
  components: readonly Component[],
  reference: ComponentReference,
): Component | undefined {
  if (!reference) return undefined;
  return (
    components[reference.index ?? -1] ??
    components.find(({ guid }) => guid != null && guid === reference.guid) ??
    components.find(({ name }) => name != null && name === reference.name)
  );
}

function byId(component: Component): Map<string, Descriptor> {
  const rules = new Map<string, Descriptor>();
  for (const rule of component.rules ?? [])
    if (rule.id != null && !rules.has(rule.id)) rules.set(rule.id, rule);
  return rules;
}

function findByIdOrParentId(rules: Map<string, Descriptor> | undefined, id: string | null | undefined) {
  for (let name = id ?? ''; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('/')))) {
    const rule = rules?.get(name);
    if (rule) return rule;
  }
  return undefined;
}

function isSameOrChildId(id: string, ruleId: string | null | undefined): boolean {
  return ruleId == null || id === ruleId || id.startsWith(`${ruleId}/`);
}
