/** Scales a vector to length 1 in place; undefined if it is zero or contains a value that is not finite. */
export function normaliseVector(vector: Float32Array): Float32Array | undefined {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const length = Math.sqrt(sum);
  if (!Number.isFinite(length) || length === 0) return undefined;
  for (let index = 0; index < vector.length; index += 1) vector[index]! /= length;
  return vector;
}
