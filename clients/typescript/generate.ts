// Writes src/api.ts, which is not kept: the types of openapi.json, as the service of this checkout answers it. Before the
// types are checked, and before the client is packed.
import { writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';

import { createManualClock } from '../../src/clock.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { createRememberedLog } from '../../test/harness/scenarios.ts';
import { createScriptedCore } from '../../test/harness/scripted-core.ts';

const API_FILE = new URL('src/api.ts', import.meta.url);

async function generateTypes(): Promise<string> {
  const deps = { core: createScriptedCore({}), clock: createManualClock(0), log: createRememberedLog() };
  const response = await createHttpServer(deps).app.request('/openapi.json');
  const { components, ...document } = (await response.json()) as { components: { schemas: object } };
  // What is sent and answered; where it goes is the client's own.
  const told = { ...document, paths: {}, webhooks: {}, components: { schemas: components.schemas } };
  const types = astToString(await openapiTS(JSON.stringify(told), { defaultNonNullable: false }));
  return `// Made of openapi.json by generate.ts: not to be changed by hand.\n${types}`;
}

writeFileSync(API_FILE, await generateTypes());
