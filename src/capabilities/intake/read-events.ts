import { AppError } from '../../lib/app-error.ts';
import { parseJson } from '../../lib/wire/parse-json.ts';
import { binaryEvent, hasEventHeaders } from './binary-event.ts';
import { type Line, readLines } from './read-lines.ts';

export const singleType = 'application/cloudevents+json';
export const batchType = 'application/cloudevents-batch+json';
export const linesType = 'application/x-ndjson';
/** One event as well: whole, or its data alone where its attributes are in the headers (binary mode). */
export const plainType = 'application/json';
export const eventMediaTypes = [singleType, batchType, linesType, plainType];

const maxBodyBytes = 64 * 1024 * 1024;
/** As many as a piece of a stream has about, so that a batch lets others have their turn as often. */
const eventsPerTurn = 50;
/** What an event of a batch is taken to have, whose own size is not known. */
const assumedBytes = 8 * 1024;

/** Events as they come in: in one piece, or line by line for as long as it takes. */
export interface EventBody {
  readonly mediaType: string;
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
  readWhole(maxBytes: number): Promise<Buffer>;
  stream(): AsyncIterable<Buffer>;
}

export type Unparsed =
  | { readonly value: unknown; readonly bytes: number; readonly hasEscapes: boolean }
  | { readonly fault: string };

/** How events are packed: as the HTTP binding of CloudEvents says, by the content type. */
export type ContentMode = 'structured' | 'binary' | 'batch' | 'lines';

export function contentModeOf({ mediaType, rawHeaders }: EventBody): ContentMode {
  if (mediaType === linesType) return 'lines';
  if (mediaType === batchType) return 'batch';
  return mediaType === plainType && hasEventHeaders(rawHeaders) ? 'binary' : 'structured';
}

function inTurns(values: readonly unknown[]): Unparsed[][] {
  const turns: Unparsed[][] = [];
  for (let first = 0; first < values.length; first += eventsPerTurn)
    turns.push(
      values
        .slice(first, first + eventsPerTurn)
        .map((value) => ({ value, bytes: assumedBytes, hasEscapes: true })),
    );
  return turns;
}

function unparsed(line: Line): Unparsed {
  if ('tooLong' in line) return { fault: `the line is longer than ${maxBodyBytes} bytes` };
  try {
    const value = parseJson(line.bytes);
    // Text in UTF-8 can hold what cannot be stored only as an escape.
    return { value, bytes: line.bytes.length, hasEscapes: line.bytes.includes('\\u') };
  } catch {
    return { fault: 'the line is not valid JSON in UTF-8' };
  }
}

/** Reads the events of a body, some at a time. */
export async function* readEvents(body: EventBody, mode: ContentMode): AsyncGenerator<Unparsed[]> {
  if (mode === 'lines') {
    for await (const lines of readLines(body.stream(), maxBodyBytes)) yield lines.map(unparsed);
    return;
  }
  const value = parseJson(await body.readWhole(maxBodyBytes));
  if (mode === 'batch') {
    if (!Array.isArray(value)) throw new AppError('INVALID_REQUEST', 'A batch is an array of events');
    yield* inTurns(value);
  } else if (mode === 'binary') yield* inTurns([binaryEvent(body.rawHeaders, value)]);
  else {
    if (Array.isArray(value)) throw new AppError('INVALID_REQUEST', 'An event is an object');
    yield* inTurns([value]);
  }
}
