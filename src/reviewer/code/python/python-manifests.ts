import path from 'node:path';
import { parse } from 'smol-toml';
import type { TreeView } from '../../repository/tree-view.ts';
import { modulesOf } from './distributions.ts';

/** Manifests that declare dependencies by code, or in formats that are not parsed here. */
const unreadable =
  /(?:^|\/)(?:setup\.(?:py|cfg)|tox\.ini|noxfile\.py|Pipfile|environment[^/]*\.ya?ml|conda[^/]*\.ya?ml|meta\.ya?ml|BUILD(?:\.bazel)?|pants\.toml|hatch\.toml)$/;
const requirements = /(?:^|\/)(?:requirements[^/]*\.(?:txt|in)|requirements\/[^/]+\.(?:txt|in))$/;

type Table = Readonly<Record<string, unknown>>;
const tableOf = (value: unknown): Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Table) : {};
const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];

const isManifest = (file: string) => /(?:^|\/)pyproject\.toml$/.test(file) || requirements.test(file);

/** The modules of the distributions at the beginning of a line, or in quotes. */
export function packagesNamed(file: string, line: string): string[] {
  if (!isManifest(file)) return [];
  const names = [...line.matchAll(/(?:^\s*|["'])([A-Za-z0-9][\w.-]*)/g)].map(([, name]) => name!);
  return names.flatMap((name) => modulesOf(name) ?? []);
}

/** The third-party modules that the manifests of a tree declare. */
export class PythonManifests {
  readonly #tree: TreeView;
  readonly #known = new Map<string, Promise<ReadonlySet<string> | undefined>>();

  constructor(tree: TreeView) {
    this.#tree = tree;
  }

  /** The modules that manifests at or above a file declare; undefined if they are unknown. */
  modulesFor(file: string): Promise<ReadonlySet<string> | undefined> {
    const folder = path.posix.dirname(file);
    const known = this.#known.get(folder) ?? this.#read(folder);
    this.#known.set(folder, known);
    return known;
  }

  async #read(folder: string): Promise<ReadonlySet<string> | undefined> {
    const isAbove = (file: string) => {
      const at = path.posix.dirname(file).replace(/(?:^|\/)requirements$/, '') || '.';
      return at === '.' || at === folder || folder.startsWith(`${at}/`);
    };
    const paths = [...(await this.#tree.paths())];
    if (paths.some((file) => unreadable.test(file))) return undefined;
    const manifests = paths.filter((file) => isManifest(file) && isAbove(file));
    const provided = new Set<string>();
    for (const manifest of manifests) {
      const text = await this.#tree.read(manifest);
      const names = text === undefined ? undefined : namesIn(manifest, text);
      if (names === undefined) return undefined;
      for (const name of names) {
        const modules = modulesOf(name);
        if (modules === undefined) return undefined;
        for (const module of modules) provided.add(module);
      }
    }
    return manifests.length === 0 ? undefined : provided;
  }
}

/** The names of distributions in a manifest; undefined if one has no name, or some are declared elsewhere. */
function namesIn(manifest: string, text: string): string[] | undefined {
  const given = manifest.endsWith('.toml') ? projectRequirements(text) : requirementLines(text);
  const names = given?.map((each) => /^\s*([A-Za-z0-9][\w.-]*)\s*(?:$|[\s[(<>=!~;,])/.exec(each)?.[1]);
  return names?.some((name) => name === undefined) === true ? undefined : (names as string[] | undefined);
}

function requirementLines(text: string): string[] | undefined {
  const lines = text
    .split('\n')
    .map((line) => line.replace(/(?:^|\s)#.*/, '').trim())
    .filter(
      (line) =>
        line !== '' && !/^--?(?:hash|c\b|constraint|i\b|index|extra-index|r\b|requirement)/.test(line),
    );
  return lines.some((line) => line.startsWith('-') || line.includes('://')) ? undefined : lines;
}

function projectRequirements(text: string): string[] | undefined {
  let data: Table;
  try {
    data = parse(text);
  } catch {
    return undefined; // an invalid manifest counts as unknown
  }
  const project = tableOf(data.project);
  const tool = tableOf(data.tool);
  const poetry = tableOf(tool.poetry);
  const isElsewhere =
    textsOf(project.dynamic).includes('dependencies') ||
    ['pdm', 'hatch', 'rye'].some((name) => 'envs' in tableOf(tool[name]));
  if (isElsewhere) return undefined;
  const groups = Object.values(tableOf(poetry.group)).map((group) => tableOf(tableOf(group).dependencies));
  const byPoetry = [poetry.dependencies, poetry['dev-dependencies'], ...groups].flatMap((each) =>
    Object.keys(tableOf(each)).filter((name) => name !== 'python'),
  );
  const lists = [
    project.dependencies,
    ...Object.values(tableOf(project['optional-dependencies'])),
    ...Object.values(tableOf(data['dependency-groups'])),
    ...Object.values(tableOf(tableOf(tool.pdm)['dev-dependencies'])),
    tableOf(tool.uv)['dev-dependencies'],
  ];
  return [...lists.flatMap(textsOf), ...byPoetry];
}
