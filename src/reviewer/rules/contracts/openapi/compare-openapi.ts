import path from 'node:path/posix';
import type { ChangedFile } from '../../../change/change.ts';
import type { TreeView } from '../../../repository/tree-view.ts';
import type { ChangeSides } from '../../../rule-source.ts';
import { type ComparedContract, type ComparedContracts, notRead } from '../compared.ts';
import { compareDescriptions } from './compare-descriptions.ts';
import { Description, isDescription, type KnownDocuments } from './description.ts';
import { UnreadDocument } from './read-document.ts';

/** A comment in the first lines that says the file is generated. */
const generatedComment = /^\s*#.*\bgenerated\b/im;
/** Definitions that generators for Protocol Buffers put into every description. */
const generatedFromMessages = /"(?:rpcStatus|googlerpcStatus|protobufAny|grpc\.gateway\.runtime\.\w+)"\s*:/;
const isGeneratedFile = (path: string, text: string) =>
  generatedComment.test(text.slice(0, 500)) ||
  path.endsWith('.swagger.json') ||
  generatedFromMessages.test(text);
const maxRoots = 20;
const maxHops = 5;

/** Compares the API descriptions that are among the changed files, or that refer to one of them. */
export async function compareOpenapi(
  files: readonly ChangedFile[],
  { base, head, hasRepository }: Pick<ChangeSides, 'base' | 'head' | 'hasRepository'>,
  signal: AbortSignal,
): Promise<ComparedContracts> {
  const contracts: ComparedContract[] = [];
  const notes: string[] = [];
  const { roots, parts } = await sortFiles(files);
  const others = hasRepository && parts.length > 0 ? await rootsWith(parts, head, signal) : [];
  const changed = new Set(roots.map(({ path: name }) => name));
  const wanted = [
    ...roots.map(({ path: after, oldPath }) => ({ after, before: oldPath ?? after })),
    ...others.filter((name) => !changed.has(name)).map((name) => ({ after: name, before: name })),
  ].slice(0, maxRoots);
  for (const { before, after } of wanted) {
    signal.throwIfAborted();
    try {
      const known: KnownDocuments = new Map();
      const old = await readAt(before, base, known);
      const own = await readAt(after, head, known);
      if (old === undefined || own === undefined) continue;
      const differences = compareDescriptions(old, own);
      const lost = [...new Set([...old.lost, ...own.lost])];
      if (lost.length > 0)
        notes.push(
          notRead(after, `${lost.slice(0, 3).join(', ')} cannot be resolved; the rest was compared`),
        );
      const isGenerated = isGeneratedFile(after, (await head.read(after)) ?? '');
      contracts.push({ path: after, kind: 'openapi', differences, isGenerated });
    } catch (error) {
      if (!(error instanceof UnreadDocument)) throw error;
      notes.push(notRead(after, error.message));
    }
  }
  return { contracts, notes };
}

/**
 * Separates files that describe an API themselves from those that may be a part of one. New and deleted files are left out, since
 * they have only one version.
 */
async function sortFiles(files: readonly ChangedFile[]) {
  const roots: ChangedFile[] = [];
  const parts: string[] = [];
  for (const file of files) {
    const text = await file.newText();
    if (file.kind === 'added' || file.kind === 'deleted' || text === undefined) continue;
    if (isDescription(text)) roots.push(file);
    else parts.push(file.path);
  }
  return { roots, parts };
}

async function readAt(name: string, tree: TreeView, known: KnownDocuments): Promise<Description | undefined> {
  const text = await tree.read(name);
  return text === undefined || !isDescription(text) ? undefined : Description.read(name, text, tree, known);
}

/** Descriptions that refer to one of the files, directly or through other files. */
async function rootsWith(parts: readonly string[], tree: TreeView, signal: AbortSignal): Promise<string[]> {
  const roots = new Set<string>();
  const known = new Set(parts);
  let names = parts;
  for (let hop = 0; hop < maxHops && names.length > 0; hop += 1) {
    signal.throwIfAborted();
    const wanted = [...new Set(names.map((name) => path.basename(name)))].slice(0, 100);
    const { lines } = await tree.findLines(wanted, { pathspecs: ['*.yaml', '*.yml', '*.json'] });
    const referring = [
      ...new Set(lines.filter(({ text }) => text.includes('$ref')).map((line) => line.path)),
    ];
    names = referring.filter((name) => !known.has(name)).slice(0, 200);
    for (const name of names) {
      known.add(name);
      if (isDescription((await tree.read(name)) ?? '')) roots.add(name);
    }
  }
  return [...roots];
}
