import { type Document, parseAllDocuments } from 'yaml';
import { CommandError } from './command-error.ts';
import { openInput, readInputText } from './input-file.ts';

const maxMebibytes = 64; // what the server accepts
const maxYamlMebibytes = 16; // more needs gigabytes of memory to parse

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // left to the YAML parser
  }
}

/** Parses a single YAML document; several documents, invalid YAML and unknown tags are rejected. */
function parseYaml(name: string, text: string): unknown {
  const documents: readonly Document[] = [...parseAllDocuments(text)];
  if (documents.length > 1) {
    throw new CommandError(
      `${name} contains ${documents.length} documents separated by "---"; apply one at a time`,
    );
  }
  const [document] = documents;
  const [problem] = [...(document?.errors ?? []), ...(document?.warnings ?? [])];
  if (problem?.code === 'RESOURCE_EXHAUSTION') throw new CommandError(`${name} is nested too deeply`);
  if (problem !== undefined)
    throw new CommandError(`${name} is not valid YAML: ${problem.message.trimEnd()}`);
  try {
    return document?.toJS();
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    throw new CommandError(`${name} has aliases (*name) that expand to too much`);
  }
}

function assertSerializable(name: string, value: unknown): void {
  try {
    JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) throw new CommandError(`${name} is nested too deeply`);
    throw new CommandError(`${name} has an alias (*name) that refers to itself`);
  }
}

/** Reads a platform document, YAML or JSON; throws an explanation if it is not one, before anything is sent. */
export async function readPlatformFile(file: string): Promise<object> {
  const input = await openInput(file);
  const text = await readInputText(input, maxMebibytes);
  const { name } = input;
  const json = parseJson(text);
  if (json === undefined && text.length > maxYamlMebibytes * 1024 * 1024) {
    throw new CommandError(
      `${name} is too large for YAML: above ${maxYamlMebibytes} MiB it must be valid JSON. A document can also be applied in parts`,
    );
  }
  const value = json === undefined ? parseYaml(name, text) : json;
  if (value === undefined || value === null) throw new CommandError(`${name} is empty`);
  assertSerializable(name, value);
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new CommandError(
      `${name} is not a platform document: it needs workspaces, instances or organizations`,
    );
  }
  return value;
}
