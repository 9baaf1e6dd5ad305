import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type AppDeps, assemble } from '../app.ts';
import { createCursorCodec } from '../http/cursor.ts';
import { openApiDocument } from '../http/openapi.ts';

/** The text of openapi.json for the endpoints as they are declared now; needs no database. */
export function generateOpenApi(): string {
  const unused = {} as AppDeps;
  const deps = { ...unused, settings: { metricsPerMinute: 60, apiKeyHeaderAliases: [], trustProxy: false } };
  const { endpoints } = assemble(deps, createCursorCodec(Buffer.alloc(32)), async () => '');
  return `${JSON.stringify(openApiDocument(endpoints), null, 2)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = new URL('../../', import.meta.url);
  await writeFile(new URL('openapi.json', root), generateOpenApi());
}
