import {
  type DependencyFile,
  type LockedPackage,
  type Requirement,
  UnreadableFile,
} from '../dependency-file.ts';
import { childText, elementsOf, readXml, type XmlElement } from './xml-elements.ts';

/** Parses `pom.xml`. A literal version is pinned; a version that another file defines is a requirement. */
export function readPom(text: string): DependencyFile {
  const root = readXml(text).children.find(({ name }) => name === 'project');
  if (root === undefined) throw new UnreadableFile('it does not describe a project');
  const properties = new Map<string, string>();
  for (const table of root.children.filter(({ name }) => name === 'properties'))
    for (const { name, text: value } of table.children) properties.set(name, value.trim());
  const packages: LockedPackage[] = [];
  const requirements: Requirement[] = [];
  for (const element of [...elementsOf(root, 'dependency', 'parent')]) {
    const [group, artifact] = [childText(element, 'groupId'), childText(element, 'artifactId')];
    if (group === undefined || artifact === undefined || `${group}${artifact}`.includes('${')) continue;
    const name = `${group}:${artifact}`;
    const { version, line } = versionOf(element, properties);
    if (version === undefined || /[${[(,]/.test(version))
      requirements.push({ name, range: version ?? '', line });
    else packages.push({ name, version, line, isDirect: true });
  }
  return { packages, requirements, ownName: childText(root, 'artifactId') };
}

function versionOf(element: XmlElement, properties: ReadonlyMap<string, string>) {
  const { line } = element.children.find(({ name }) => name === 'artifactId') ?? element;
  const written = childText(element, 'version');
  const property = /^\$\{([^}]+)\}$/.exec(written ?? '')?.[1];
  return { version: property === undefined ? written : (properties.get(property) ?? written), line };
}

/** Parses `gradle.lockfile`, which has lines `group:artifact:version=configurations`. */
export function readGradleLock(text: string): DependencyFile {
  const packages: LockedPackage[] = [];
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#') || /^empty=/.test(line)) continue;
    const [, name, version] = /^([^:=\s]+:[^:=\s]+):([^:=\s]+)(?:=.*)?$/.exec(line) ?? [];
    if (name === undefined)
      throw new UnreadableFile(`line ${index + 1} does not name a package and a version`);
    packages.push({ name, version: version!, line: index + 1 });
  }
  return { packages, requirements: [] };
}
