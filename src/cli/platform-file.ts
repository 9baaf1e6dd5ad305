import { type Document, parseAllDocuments } from 'yaml';
import { CommandError } from './command-error.ts';
import { openInput, readInputText } from './input-file.ts';

const maxMebibytes = 64; // what the server accepts
const maxYamlMebibytes = 16; // more needs gigabytes of memory to parse

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // YAML, which the YAML parser judges
  }
}

/** The one document of a YAML text; several, faulty ones and unknown tags are refused. */
function parseYaml(name: string, text: string): unknown {
  const documents: readonly Document[] = [...parseAllDocuments(text)];
  if (documents.length > 1) {
    throw new CommandError(
      `${name} holds ${documents.length} documents, divided by "---"; one is applied at a time`,
    );
  }
  const [document] = documents;
  const [fault] = [...(document?.errors ?? []), ...(document?.warnings ?? [])];
  if (fault?.code === 'RESOURCE_EXHAUSTION') throw new CommandError(`${name} is nested too deeply`);
  if (fault !== undefined) throw new CommandError(`${name} is not valid YAML: ${fault.message.trimEnd()}`);
  try {
    return document?.toJS();
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    throw new CommandError(`${name} uses aliases (*name) that stand for too much`);
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

/** Reads a platform document, YAML or JSON; what is no such document is explained, so that nothing of it is sent. */
export async function readPlatformFile(file: string): Promise<object> {
  const input = await openInput(file);
  const text = await readInputText(input, maxMebibytes);
  const { name } = input;
  const json = parseJson(text);
  if (json === undefined && text.length > maxYamlMebibytes * 1024 * 1024) {
    throw new CommandError(
      `${name} is too large for YAML: more than ${maxYamlMebibytes} MiB are accepted as valid JSON only. A document may also be applied in parts`,
    );
  }
  const value = json === undefined ? parseYaml(name, text) : json;
  if (value === undefined || value === null) throw new CommandError(`${name} is empty`);
  assertSerializable(name, value);
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new CommandError(
      `${name} is no platform document: it needs workspaces, instances or organizations`,
    );
  }
  return value;
}
