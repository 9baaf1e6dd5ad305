import {
  type DependencyFile,
  type LockedPackage,
  type Requirement,
  UnreadableFile,
} from '../dependency-file.ts';
import { forEachKey, readJson, recordOf, textOf } from './json-keys.ts';
import { childText, elementsOf, readXml, type XmlElement } from './xml-elements.ts';

const references = ['PackageReference', 'PackageVersion', 'GlobalPackageReference', 'package'];

/** Parses project files, `Directory.Packages.props` and `packages.config`. */
export function readProjectFile(text: string): DependencyFile {
  const root = readXml(text);
  const packages: LockedPackage[] = [];
  const requirements: Requirement[] = [];
  const mentioned = new Set<string>();
  for (const element of elementsOf(root, ...references)) {
    const { attributes, line } = element;
    const name = attributes.Include ?? attributes.Update ?? attributes.id;
    if (name === undefined || /[$%@;*]/.test(name)) continue;
    if (attributes.Include === undefined) mentioned.add(name);
    const version =
      attributes.Version ?? attributes.version ?? attributes.VersionOverride ?? childText(element, 'Version');
    const fixed = /^\[?(\d[\w.+-]*)\]?$/.exec(version ?? '')?.[1];
    if (fixed === undefined) requirements.push({ name, range: version ?? '', line });
    else packages.push({ name, version: fixed, line, isDirect: true });
  }
  for (const element of conditional(root))
    for (const { attributes } of [element, ...elementsOf(element, ...references)])
      if (attributes.Include !== undefined) mentioned.add(attributes.Include);
  return { packages, requirements, mentioned };
}

/** The elements that apply to some builds only. */
function* conditional(element: XmlElement): Iterable<XmlElement> {
  for (const child of element.children)
    if (child.attributes.Condition !== undefined || child.name === 'Choose') yield child;
    else yield* conditional(child);
}

/** Parses `packages.lock.json`, which has a list of packages per framework. */
export function readNugetLock(text: string): DependencyFile {
  const lock = readJson(text);
  if (lock.version === undefined || lock.dependencies === undefined)
    throw new UnreadableFile('it has no dependencies');
  const packages = new Map<string, LockedPackage>();
  const direct = new Set<string>();
  const frameworks = recordOf(lock.dependencies);
  forEachKey(text, ([section, framework, name, deeper], line) => {
    if (section !== 'dependencies' || typeof name !== 'string' || deeper !== undefined) return;
    const entry = recordOf(recordOf(frameworks[framework as string])[name]);
    const version = textOf(entry.resolved);
    if (entry.type === 'Direct') direct.add(name.toLowerCase());
    if (version === undefined) return;
    const key = `${name.toLowerCase()}@${version}`;
    const known = packages.get(key);
    const isDirect = entry.type === 'Direct' || known?.isDirect === true;
    packages.set(key, {
      name,
      version,
      isDirect,
      line: known?.line ?? line,
      hasChecksum: entry.contentHash !== undefined,
    });
  });
  return { packages: [...packages.values()], requirements: [], answers: direct };
}
