import { z } from 'zod';

/** A schema for many values, compiled on first use: compiling all such schemas would delay the start of a server. */
export function compiledOnUse<Schema extends z.ZodType>(schema: Schema): () => Schema {
  let compiled: Schema | undefined;
  return () => {
    compiled ??= z.compile(schema);
    return compiled;
  };
}
