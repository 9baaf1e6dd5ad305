import { cweOfTags, parseCwe, sortCwe } from '../cwe.ts';
import { findComponent } from './rule-index.ts';
import type { Descriptor, Reference, SarifResult, SarifRun } from './sarif-shape.ts';

const PROPERTY_NAMES = ['cwe', 'CWE', 'cwes', 'cweId', 'cweIds', 'cwe_id', 'cwe-id'];

/**
 * Reads the CWEs of a result: its taxa, its rule's relationships, the tags and properties of both, and the rule's id
 * if that is one (`CWE-79`).
 */
export function cweReader(
  run: SarifRun,
): (result: SarifResult, descriptor: Descriptor | null, ruleId: string) => string[] {
  const ofReferences = (references: readonly Reference[]) =>
    references.flatMap((reference) => cweOfReference(reference, run));
  const known = new Map<Descriptor, string[]>();
  const ofRule = (descriptor: Descriptor) => {
    const targets = (descriptor.relationships ?? []).flatMap(({ target }) => target ?? []);
    const cwe = known.get(descriptor) ?? [
      ...ofReferences(targets),
      ...cweOfProperties(descriptor.properties),
    ];
    known.set(descriptor, cwe);
    return cwe;
  };
  return (result, descriptor, ruleId) =>
    sortCwe([
      ...cweOfTags([ruleId]),
      ...ofReferences(result.taxa ?? []),
      ...cweOfProperties(result.properties),
      ...(descriptor ? ofRule(descriptor) : []),
    ]);
}

/** Reads the CWEs of a result from its taxa only. */
export function cweOfTaxa(run: SarifRun): (result: SarifResult) => string[] {
  return ({ taxa }) => sortCwe((taxa ?? []).flatMap((reference) => cweOfReference(reference, run)));
}

function cweOfReference({ id, index, guid, toolComponent }: Reference, run: SarifRun): string[] {
  const taxonomy = findComponent(run.taxonomies ?? [], toolComponent);
  const taxonomyName = taxonomy?.name ?? toolComponent?.name;
  if (taxonomyName == null) return /^cwe/i.test(id ?? '') ? parseCwe(id) : [];
  if (!/^cwe\b/i.test(taxonomyName)) return [];
  const taxon = taxonomy?.taxa?.find((candidate) => candidate.guid != null && candidate.guid === guid);
  return parseCwe(id ?? taxonomy?.taxa?.[index ?? -1]?.id ?? taxon?.id);
}

function cweOfProperties(properties: Record<string, unknown> | null | undefined): string[] {
  if (!properties) return [];
  const named = PROPERTY_NAMES.filter((name) => Object.hasOwn(properties, name));
  return [...cweOfTags(properties.tags), ...named.flatMap((name) => parseCwe(properties[name]))];
}
