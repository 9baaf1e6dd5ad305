import path from 'node:path/posix';
import type { TreeView } from '../../../repository/tree-view.ts';
import {
  type Fields,
  isFields,
  placeOf,
  type ReadDocument,
  readDocument,
  UnreadDocument,
  type Value,
} from './read-document.ts';

const rootKey = /^\s{0,4}(?:\{\s*)?["']?(?:openapi|swagger)["']?\s*:\s*["']?[23]\./m;
const maxReferences = 50;
const maxFiles = 4_000;
const maxLength = 16_000_000;

/** Whether a file describes an API, judging by its `openapi` or `swagger` key. */
export function isDescription(text: string): boolean {
  return rootKey.test(text.slice(0, 20_000));
}

/** A cache of parsed files, shared by both versions. */
export type KnownDocuments = Map<string, { readonly text: string; readonly document: ReadDocument }>;

/** One version of a description, with the files of the repository that it refers to. */
export class Description {
  readonly root: Fields;
  /** References that cannot be resolved within the repository. */
  readonly lost = new Set<string>();
  readonly #documents: ReadonlyMap<string, ReadDocument>;

  private constructor(root: Fields, documents: ReadonlyMap<string, ReadDocument>) {
    this.root = root;
    this.#documents = documents;
  }

  /** Parses a description and all files that it refers to. Files that are equal in both versions are parsed only once. */
  static async read(
    file: string,
    text: string,
    tree: TreeView,
    known: KnownDocuments = new Map(),
  ): Promise<Description> {
    const documents = new Map<string, ReadDocument>();
    const root = readDocument(file, text);
    let length = text.length;
    if (!isFields(root.root)) throw new UnreadDocument('it is not an object');
    documents.set(file, root);
    const wanted = filesNamedIn(root);
    for (const name of wanted) {
      if (documents.has(name) || documents.size >= maxFiles || length > maxLength) continue;
      const found = await tree.read(name);
      if (found === undefined) continue;
      length += found.length;
      const other = known.get(name);
      const read = other?.text === found ? other.document : readDocument(name, found);
      known.set(name, { text: found, document: read });
      documents.set(name, read);
      for (const each of filesNamedIn(read)) wanted.add(each);
    }
    return new Description(root.root, documents);
  }

  /** Follows the references of a value to an object, and names the last reference. Undefined if it cannot be resolved. */
  resolve(
    given: Value | undefined,
  ): { readonly value: Fields; readonly name: string | undefined } | undefined {
    let value = given;
    let name: string | undefined;
    for (let count = 0; count < maxReferences; count += 1) {
      if (!isFields(value)) return undefined;
      const { $ref } = value;
      if (typeof $ref !== 'string') return { value, name };
      name = $ref.slice($ref.lastIndexOf('/') + 1);
      const found = this.#follow(value, $ref);
      if (found === undefined) this.lost.add($ref.slice(0, 200));
      value = found;
    }
    this.lost.add(`${name ?? ''} (it refers to itself)`);
    return undefined;
  }

  #follow(from: Fields, reference: string): Value | undefined {
    const [file = '', pointer = ''] = reference.split('#');
    const own = placeOf(from).path;
    const document = this.#documents.get(file === '' ? own : path.join(path.dirname(own), decode(file)));
    let value: Value | undefined = document?.root;
    for (const part of pointer.split('/').slice(1)) {
      const key = decode(part).replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
      value = (value as Fields)[key];
    }
    return value;
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Files of the repository that a document refers to. */
function filesNamedIn({ path: own, root }: ReadDocument): Set<string> {
  const files = new Set<string>();
  const seen = new Set<object>();
  const visit = (value: Value): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    if (isFields(value) && typeof value.$ref === 'string') {
      const [file = ''] = value.$ref.split('#');
      const target = path.join(path.dirname(own), decode(file));
      if (file !== '' && !/^[a-z][a-z\d+.-]*:/i.test(file) && !target.startsWith('..')) files.add(target);
    }
    for (const inner of Object.values(value)) visit(inner as Value);
  };
  visit(root);
  return files;
}
