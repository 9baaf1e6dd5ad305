import { uuidFromName } from '../../lib/uuid.ts';
import { isExpression } from '../../reviewer/rules/dependencies/licences.ts';
import type { StoredInventory, StoredPackage } from './inventory-record.ts';
import { packageUrl } from './package-url.ts';

/**
 * The namespace of the documents' UUIDs, which are derived from the contents: the same state of a repository gives the same
 * UUID.
 */
const namespace = '6f1b9d0e-5f0a-5c38-9d57-0c1f4f2f7b11';

function componentOf({ ecosystem, name, version, isFixed, isDirect, licence, path }: StoredPackage) {
  const purl = packageUrl(ecosystem, name, isFixed ? version : null);
  const properties = [
    { name: 'postil:path', value: path },
    { name: 'postil:direct', value: String(isDirect) },
    ...(isFixed || version === '' ? [] : [{ name: 'postil:requested', value: version }]),
  ];
  const licences = licence === null ? {} : { licenses: [licenceOf(licence)] };
  return {
    type: 'library',
    'bom-ref': refOf({ ecosystem, name, version, isFixed }),
    name,
    ...(isFixed && { version }),
    ...licences,
    purl,
    properties,
  };
}

/** The range is part of the reference, because a manifest can ask for several ranges of a package. */
function refOf({
  ecosystem,
  name,
  version,
  isFixed,
}: Omit<StoredPackage, 'advisories' | 'severity' | 'path' | 'licence' | 'isDirect'>): string {
  const url = packageUrl(ecosystem, name, version);
  return isFixed ? url : `${url}?requested`;
}

/** Text that is no SPDX expression is treated as a name. */
const licenceOf = (licence: string) =>
  isExpression(licence) ? { expression: licence } : { license: { name: licence } };

type Inventoried = Pick<StoredInventory, 'repositoryId' | 'repositoryName' | 'revision' | 'readAt'>;

/**
 * The dependencies of a repository as a CycloneDX 1.6 document, in chunks. Vulnerabilities are exactly those of imported
 * advisories.
 */
export async function* writeCycloneDx(
  inventory: Inventoried,
  version: string,
  readPages: () => AsyncIterable<readonly StoredPackage[]>,
): AsyncGenerator<string> {
  const { repositoryId, repositoryName, revision, readAt } = inventory;
  const head = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidFromName(namespace, `${repositoryId} ${revision} ${readAt?.toISOString()}`)}`,
    version: 1,
    metadata: {
      ...(readAt !== null && { timestamp: readAt.toISOString() }),
      tools: { components: [{ type: 'application', name: 'postil', version }] },
      component: {
        type: 'application',
        'bom-ref': `repository:${repositoryId}`,
        name: repositoryName,
        ...(revision !== null && { version: revision }),
      },
    },
  };
  yield `${JSON.stringify(head).slice(0, -1)},"components":[`;
  let separator = '';
  const affects = new Map<string, string[]>();
  for await (const page of readPages()) {
    for (const each of page)
      for (const id of each.advisories) affects.set(id, [...(affects.get(id) ?? []), refOf(each)]);
    if (page.length === 0) continue;
    yield separator + page.map((each) => JSON.stringify(componentOf(each))).join(',');
    separator = ',';
  }
  const vulnerabilities = [...affects]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, refs]) => ({
      'bom-ref': `advisory:${id}`,
      id,
      source: { name: 'OSV', url: `https://osv.dev/vulnerability/${encodeURIComponent(id)}` },
      affects: refs.map((ref) => ({ ref })),
    }));
  yield `],"vulnerabilities":${JSON.stringify(vulnerabilities)}}`;
}
