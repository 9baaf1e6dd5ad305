import { parse } from 'smol-toml';
import { type DependencyFile, type Requirement, UnreadableFile } from '../../dependency-file.ts';
import { listOf, recordOf, textOf } from '../json-keys.ts';
import { pythonName, readRequirement } from './python-name.ts';

type Table = Record<string, unknown>;

export function readToml(text: string): Table {
  try {
    return parse(text) as Table;
  } catch (error) {
    throw new UnreadableFile(
      `it is not valid TOML (${(error as Error).message.split('\n')[0]!.slice(0, 100)})`,
    );
  }
}

/**
 * Returns a function that finds the number of the first matching line that it has not returned before; if there is none, of the
 * first matching line; otherwise 1.
 */
export function lineFinder(text: string): (isIt: (line: string) => boolean) => number {
  const lines = text.split('\n');
  const taken = new Set<number>();
  return (isIt) => {
    const index = lines.findIndex((line, at) => !taken.has(at) && isIt(line));
    if (index === -1) return lines.findIndex(isIt) + 1 || 1;
    taken.add(index);
    return index + 1;
  };
}

/** Whether a line of TOML begins with this key. */
export function beginsWith(key: string): (line: string) => boolean {
  return (line) => {
    const plain = line.trimStart().replace(/^["']/, '');
    return plain.startsWith(key) && /^["']?\s*[.=]/.test(plain.slice(key.length));
  };
}

/** Whether a line has this text in quotes. */
function hasText(said: string): (line: string) => boolean {
  const [double, single] = [JSON.stringify(said), `'${said}'`];
  return (line) => line.includes(double) || line.includes(single);
}

/** Parses `pyproject.toml` with the tables of the standard, Poetry, PDM and uv. */
export function readPyproject(text: string): DependencyFile {
  const document = readToml(text);
  const project = recordOf(document.project);
  const tool = recordOf(document.tool);
  const poetry = recordOf(tool.poetry);
  const lineOf = lineFinder(text);
  const requirements: Requirement[] = [];
  const standard = [
    project.dependencies,
    ...Object.values(recordOf(project['optional-dependencies'])),
    ...Object.values(recordOf(document['dependency-groups'])),
    recordOf(tool.uv)['dev-dependencies'],
    ...Object.values(recordOf(recordOf(tool.pdm)['dev-dependencies'])),
  ];
  for (const written of standard.flatMap(listOf)) {
    const said = textOf(written);
    const read = said === undefined ? undefined : readRequirement(said);
    if (read !== undefined)
      requirements.push({ name: read.name, range: read.range, line: lineOf(hasText(said!)) });
  }
  const tables = [
    poetry.dependencies,
    poetry['dev-dependencies'],
    ...Object.values(recordOf(poetry.group)).map((group) => recordOf(group).dependencies),
  ];
  for (const [name, value] of tables.flatMap((each) => Object.entries(recordOf(each)))) {
    if (name === 'python') continue;
    const isLocal = recordOf(value).path !== undefined;
    if (!isLocal)
      requirements.push({ name: pythonName(name), range: rangeOf(value), line: lineOf(beginsWith(name)) });
  }
  return { packages: [], requirements, ownName: textOf(project.name) ?? textOf(poetry.name) };
}

/** The range in `"^1.0"` or `{ version = "^1.0" }`; empty for a list of alternatives. */
function rangeOf(value: unknown): string {
  return textOf(value) ?? textOf(recordOf(value).version) ?? '';
}
