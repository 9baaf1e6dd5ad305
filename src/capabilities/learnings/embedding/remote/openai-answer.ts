import { z } from 'zod';
import { EmbeddingFailed } from '../embedder.ts';
import { normaliseVector } from '../vectors/normalise-vector.ts';

const answerSchema = z.object({
  data: z.array(z.object({ index: z.number(), embedding: z.unknown() })),
});

/** Parses the response of an `/embeddings` endpoint: one normalised vector per input, in order, all of one length. */
export function readEmbeddings(answer: unknown, inputCount: number): Float32Array[] {
  const parsed = answerSchema.safeParse(answer);
  if (!parsed.success) throw invalidAnswer('it does not have the format of the OpenAI API');

  const { data } = parsed.data;
  if (data.length !== inputCount)
    throw invalidAnswer(`${inputCount} texts were sent, ${data.length} vectors came back`);
  const inOrder = data.toSorted((a, b) => a.index - b.index);
  if (inOrder.some((item, position) => item.index !== position))
    throw invalidAnswer('its indices are not 0, 1, 2, …');

  const vectors = inOrder.map((item) => readVector(item.embedding));
  if (vectors.some((vector) => vector.length !== vectors[0]!.length))
    throw invalidAnswer('its vectors differ in length');
  return vectors;
}

function readVector(embedding: unknown): Float32Array {
  const values = typeof embedding === 'string' ? floatsFromBase64(embedding) : floatsFromArray(embedding);
  const vector = values && normaliseVector(values);
  if (!vector) throw invalidAnswer('it contains something other than a nonzero vector of finite numbers');
  return vector;
}

function floatsFromArray(embedding: unknown): Float32Array | undefined {
  if (!Array.isArray(embedding)) return undefined;
  if (!embedding.every((value) => typeof value === 'number')) return undefined;
  return Float32Array.from(embedding);
}

/** Little-endian float32 values, as the API sends them for `encoding_format: base64`. */
function floatsFromBase64(text: string): Float32Array | undefined {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length % 4 !== 0) return undefined;
  return Float32Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
}

function invalidAnswer(reason: string): EmbeddingFailed {
  return new EmbeddingFailed(`The embeddings endpoint sent an invalid response: ${reason}`);
}
