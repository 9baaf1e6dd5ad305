/** The length of the vectors, which is that of the built-in model. */
export const dimensions = 384;

const ofWord = new Map<string, Float32Array>();

/** The same numbers for the same word in every process (xorshift, seeded with FNV-1a). */
function randomVector(word: string): Float32Array {
  let state = 0x811c9dc5;
  for (const byte of Buffer.from(word)) state = Math.imul(state ^ byte, 0x01000193);
  return Float32Array.from({ length: dimensions }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state / 2 ** 31;
  });
}

function vectorOf(word: string): Float32Array {
  const known = ofWord.get(word);
  if (known !== undefined) return known;
  const vector = randomVector(word);
  // Words with a digit are names that occur only once, so caching them is useless.
  if (!/\d/.test(word)) ofWord.set(word, vector);
  return vector;
}

/**
 * A vector of length 1 in microseconds, so that a benchmark measures the search and not a model. Unlike those of the
 * embedder for tests it is dense, as a model's are: it does not shrink when it is compressed.
 */
export function embedWords(text: string): Float32Array {
  const sum = new Float32Array(dimensions);
  for (const word of text.split(' ')) {
    const vector = vectorOf(word);
    for (let index = 0; index < dimensions; index += 1) sum[index]! += vector[index]!;
  }
  const length = Math.sqrt(sum.reduce((total, value) => total + value * value, 0));
  return sum.map((value) => value / length);
}
