// Writes src/api.ts: the types of openapi.json, as the service of this checkout answers it. `npm run types`; a test
// holds it.
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';

import { createManualClock } from '../../src/clock.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { createRememberedLog } from '../../test/harness/scenarios.ts';
import { createScriptedCore } from '../../test/harness/scripted-core.ts';

export const API_FILE = new URL('src/api.ts', import.meta.url);

export async function generateTypes(): Promise<string> {
  const deps = { core: createScriptedCore({}), clock: createManualClock(0), log: createRememberedLog() };
  const response = await createHttpServer(deps).app.request('/openapi.json');
  const { components, ...document } = (await response.json()) as { components: { schemas: object } };
  // What is sent and answered; where it goes is the client's own.
  const told = { ...document, paths: {}, webhooks: {}, components: { schemas: components.schemas } };
  const types = astToString(await openapiTS(JSON.stringify(told), { defaultNonNullable: false }));
  return `// Made of openapi.json by generate.ts: not to be changed by hand.\n${types}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  writeFileSync(API_FILE, await generateTypes());
