import { z } from 'zod';
import { type Endpoint, publicEndpoint } from '../../http/endpoint.ts';
import { type PreparedContent, prepareContent } from '../../http/reply/prepared-content.ts';
import { postilFileSchema } from '../../reviewer/configuration/postil-json-schema.ts';

export function reviewEndpoints(): Endpoint[] {
  let schema: Promise<PreparedContent> | undefined;
  return [
    publicEndpoint({
      operationId: 'readConfigurationSchema',
      method: 'GET',
      path: '/schemas/postil.yaml.json',
      tag: 'Reviews',
      summary: 'The JSON Schema of `.postil.yaml`',
      responses: {
        200: {
          description: 'JSON Schema',
          json: z.looseObject({}),
          headers: { ETag: 'Identifies this version' },
        },
        304: { description: 'The version in `If-None-Match` is the current one' },
      },
      errors: ['INVALID_REQUEST'],
      async handle() {
        schema ??= prepareContent('application/json; charset=utf-8', JSON.stringify(postilFileSchema()));
        return { prepared: await schema };
      },
    }),
  ];
}
