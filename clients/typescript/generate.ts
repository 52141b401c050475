// Writes src/api.ts, which is not kept: the types of openapi.json, as the service of this checkout answers it. Before the
// types are checked, and before the client is packed.
import { writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';

import { openTestHttp } from '../../test/harness/http.ts';

const API_FILE = new URL('src/api.ts', import.meta.url);

async function generateTypes(): Promise<string> {
  const http = await openTestHttp();
  const { text } = await http.ask('GET /openapi.json');
  await http.close();
  const { components, ...document } = JSON.parse(text) as { components: { schemas: object } };
  // What is sent and answered; where it goes is the client's own.
  const told = { ...document, paths: {}, webhooks: {}, components: { schemas: components.schemas } };
  const types = astToString(await openapiTS(JSON.stringify(told), { defaultNonNullable: false }));
  return `// Made of openapi.json by generate.ts: not to be changed by hand.\n${types}`;
}

writeFileSync(API_FILE, await generateTypes());
