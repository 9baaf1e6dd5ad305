import { z } from 'zod';
import { postilFileShape } from './review-configuration.ts';

/** The JSON Schema of `.postil.yaml`, for editors. */
export function postilFileSchema(): Record<string, unknown> {
  return {
    ...z.toJSONSchema(postilFileShape, { target: 'draft-2020-12', io: 'input' }),
    title: 'Postil review configuration',
  };
}
