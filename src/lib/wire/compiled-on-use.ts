import { z } from 'zod';

/** A schema for many values, compiled with the first of them: compiling all such schemas would keep a server from being ready. */
export function compiledOnUse<Schema extends z.ZodType>(schema: Schema): () => Schema {
  let compiled: Schema | undefined;
  return () => {
    compiled ??= z.compile(schema);
    return compiled;
  };
}
