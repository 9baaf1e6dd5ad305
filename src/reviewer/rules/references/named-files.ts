import path from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import { readJsonWithComments } from '../../code/javascript/json-with-comments.ts';

/** A file that a manifest names. */
export interface NamedFile {
  /** As written in the manifest. */
  readonly text: string;
  /** The paths that it may refer to. */
  readonly paths: readonly string[];
}

type Table = Readonly<Record<string, unknown>>;
const tableOf = (value: unknown): Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Table) : {};
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);
const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];

const isPlain = (text: string) => !/[*?{}$!<>|~]|^-|:\/\//.test(text) && text.trim() !== '';
/** Signs of commands that tolerate a missing file, or check for it first. */
const forgiving = /\[|\btest\s+-|\brm\b|\|\||\bcd\b|\bpushd\b/;

/** The kinds of manifests, and how to find the files that they name. */
const kinds: readonly {
  readonly pathspecs: readonly string[];
  covers(path: string): boolean;
  read(text: string, folder: string): Promise<NamedFile[]> | NamedFile[];
}[] = [
  {
    pathspecs: [':(glob)**/package.json'],
    covers: (file) => /(?:^|\/)package\.json$/.test(file),
    read(text, folder) {
      const data = tableOf(JSON.parse(text));
      const fields = ['main', 'module', 'types', 'typings', 'browser', 'style', 'bin', 'exports', 'imports'];
      const named = fields.flatMap((field) => textsIn(data[field]));
      const commands = textsIn(data.scripts).filter((command) => !forgiving.test(command));
      return [...named, ...commands.flatMap(wordsOf)].map((each) => at(each, folder));
    },
  },
  {
    pathspecs: [':(glob)**/tsconfig*.json'],
    covers: (file) => /(?:^|\/)tsconfig[^/]*\.json$/.test(file),
    async read(text, folder) {
      const data = tableOf(await readJsonWithComments(text));
      const references = listOf(data.references).map((each) => tableOf(each).path);
      return [data.files, data.include, references]
        .flatMap(textsIn)
        .concat(textsIn(data.extends).filter((each) => each.startsWith('.')))
        .map((each) => at(each, folder, '.json', '/tsconfig.json'));
    },
  },
  {
    pathspecs: [':(glob)**/Dockerfile*', ':(glob)**/*.Dockerfile'],
    covers: (file) => /(?:^|\/)(?:Dockerfile[^/]*|[^/]+\.Dockerfile)$/.test(file),
    read: (text, folder) =>
      text
        .replaceAll(/\\\r?\n/g, ' ')
        .split('\n')
        .flatMap((line) => {
          const [, given = ''] = /^\s*(?:COPY|ADD)\s+(.*)$/i.exec(line) ?? [];
          if (/--from\b|<<|\[/.test(given)) return [];
          const sources = given.split(/\s+/).filter((word) => !word.startsWith('--'));
          return sources.slice(0, -1);
        })
        // The build context is often the folder of the file, or the root.
        .map((each) => ({ text: each, paths: [...at(each, folder).paths, ...at(each, '.').paths] })),
  },
  {
    pathspecs: ['.github/workflows/*.yml', '.github/workflows/*.yaml'],
    covers: (file) => /^\.github\/workflows\/[^/]+\.ya?ml$/.test(file),
    read(text) {
      // With other working directories, it is not known what the paths in commands refer to.
      if (/working-directory/.test(text)) return [];
      const jobs = Object.values(tableOf(tableOf(parseYaml(text, { maxAliasCount: 50 })).jobs)).map(tableOf);
      const steps = jobs.flatMap(({ steps: given }) => listOf(given)).map(tableOf);
      const used = [...jobs, ...steps]
        .flatMap(({ uses }) => textsIn(uses))
        .filter((each) => each.startsWith('./'));
      const inputs = steps.flatMap(({ with: given }) =>
        Object.entries(tableOf(given)).flatMap(([key, value]) =>
          key.endsWith('-file') ? textsIn(value) : [],
        ),
      );
      const commands = steps.flatMap(({ run }) => textsIn(run)).filter((each) => !forgiving.test(each));
      return [
        ...used.map((each) => at(each, '.', '/action.yml', '/action.yaml')),
        ...[...inputs, ...commands.flatMap(wordsOf)].map((each) => at(each, '.')),
      ];
    },
  },
  {
    pathspecs: [':(glob)**/pyproject.toml'],
    covers: (file) => /(?:^|\/)pyproject\.toml$/.test(file),
    read(text, folder) {
      const data = parseToml(text) as Table;
      const project = tableOf(data.project);
      const tool = tableOf(data.tool);
      const poetry = tableOf(tool.poetry);
      const files = [
        project.readme,
        tableOf(project.readme).file,
        tableOf(project.license).file,
        poetry.readme,
        tableOf(tableOf(tool.hatch).version).path,
        ...Object.values(tableOf(tableOf(tool.setuptools).dynamic)).map((each) => tableOf(each).file),
      ].flatMap((each) => (typeof each === 'string' || Array.isArray(each) ? textsIn(each) : []));
      const scripts = [project.scripts, project['gui-scripts'], poetry.scripts].flatMap((each) =>
        Object.values(tableOf(each)).filter((value): value is string => typeof value === 'string'),
      );
      return [...files.map((each) => at(each, folder)), ...scripts.map((each) => moduleAt(each, folder))];
    },
  },
];

export const manifestPathspecs: readonly string[] = kinds.flatMap(({ pathspecs }) => pathspecs);

/** The files that a manifest names; empty if it is no manifest, or cannot be parsed. */
export async function filesNamedBy(file: string, text: string): Promise<NamedFile[]> {
  const kind = kinds.find(({ covers }) => covers(file));
  if (kind === undefined) return [];
  try {
    const named = await kind.read(text, path.posix.dirname(file));
    return named.filter((each) => isPlain(each.text));
  } catch {
    return []; // another rule reports an invalid file
  }
}

function at(text: string, folder: string, ...endings: readonly string[]): NamedFile {
  const wanted = path.posix.join(folder, text);
  return { text, paths: ['', ...endings].map((ending) => wanted + ending) };
}

/** The module of an entry point such as `shop.cart:main`, in the root or in `src`. */
function moduleAt(text: string, folder: string): NamedFile {
  const module = text.split(':')[0]!.trim().replaceAll('.', '/');
  const paths = ['', 'src'].flatMap((root) => {
    const wanted = path.posix.join(folder, root, module);
    return [`${wanted}.py`, `${wanted}/__init__.py`];
  });
  return { text, paths };
}

/** The words of a command that look like files. */
function wordsOf(command: string): string[] {
  return command.split(/[\s"'`;&|()=]+/).filter((word) => /[\w-]\.\w+$/.test(word) && !word.startsWith('-'));
}
