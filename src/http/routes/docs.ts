// What the interface is, for programs (/openapi.json) and people (/docs). The page is served whole from here: it
// contacts no other host, and runs no script that is not one of these files.
import { readFile } from 'node:fs/promises';

import { createRoute, z } from '@hono/zod-openapi';

import { packaged, styles } from '../../files.ts';
import type { HttpApp, HttpContext } from '../context.ts';
import type { Endpoints } from '../endpoints.ts';
import { HttpProblem } from '../errors.ts';
import { PROSE_SCRIPT, REFERENCE, REFERENCE_SCRIPT, renderGuide } from '../guide.ts';
import { writeOpenApi } from '../openapi.ts';

const FILES: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};
const MADE: Record<string, [type: string, body: string]> = {
  reference: ['text/html; charset=utf-8', REFERENCE],
  'docs.css': ['text/css; charset=utf-8', styles('src/http/docs.css')],
  'prose.js': ['text/javascript; charset=utf-8', PROSE_SCRIPT],
  'reference.js': ['text/javascript; charset=utf-8', REFERENCE_SCRIPT],
};

const HOME = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Code Redemption Service</title>
  </head>
  <body>
    <h1>Code Redemption Service</h1>
    <p>Redeems prepaid top-up codes for in-game characters. <a href="docs">Read how to use it</a>, look
      into <a href="docs/reference">the reference</a>, or take <a href="openapi.json">the OpenAPI document</a>.</p>
  </body>
</html>
`;

// Images of the style sheet are written into it as data.
const PAGE_POLICY =
  "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const CACHED = 'public, max-age=3600';

const openapi = createRoute({
  method: 'get',
  path: '/openapi.json',
  operationId: 'getOpenApi',
  tags: ['Service'],
  summary: 'This document',
  responses: {
    200: { description: 'OpenAPI 3.1', content: { 'application/json': { schema: z.looseObject({}) } } },
  },
});
const home = createRoute({ method: 'get', path: '/', hide: true, responses: {} });
const page = createRoute({ method: 'get', path: '/docs', hide: true, responses: {} });
const file = createRoute({ method: 'get', path: '/docs/{file}', hide: true, responses: {} });

export function mountDocs(app: HttpApp, endpoints: Endpoints): void {
  app.openAPIRegistry.registerComponent('securitySchemes', 'apiKey', {
    type: 'http',
    scheme: 'bearer',
    description:
      'The key alone, `crs_…`, without the word Bearer. It is made in the bot (`/api_key`) or by the host.',
  });
  let document: string | undefined;

  endpoints.open(openapi, (c) => {
    document ??= writeOpenApi(app);
    return c.body(document, 200, { 'content-type': 'application/json' });
  });
  endpoints.open(home, (c) => c.body(HOME, 200, pageHeaders('text/html; charset=utf-8')));
  endpoints.open(page, async (c) => {
    guide ??= renderGuide();
    return c.body(await guide, 200, pageHeaders('text/html; charset=utf-8'));
  });
  endpoints.open(file, (c) => answerFile(c, c.req.param('file') ?? ''));
}

let guide: Promise<string> | undefined;

/** Read anew each time: the bundle is larger than everything else this process holds, and seldom asked for. */
async function answerFile(c: HttpContext, name: string): Promise<Response> {
  // As the document calls it, which the reference shows from here.
  if (name === 'docs') return c.redirect('../docs', 301);
  const made = Object.hasOwn(MADE, name) ? MADE[name] : undefined;
  if (made) return c.body(made[1], 200, pageHeaders(made[0]));
  const type = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
  if (type === undefined) throw new HttpProblem(404, 'There is no such file. Open /docs.');
  const bytes = await readFile(packaged(`swagger-ui-dist/${name}`));
  return c.body(new Uint8Array(bytes), 200, { ...pageHeaders(type), 'cache-control': CACHED });
}

function pageHeaders(type: string): Record<string, string> {
  return { 'content-type': type, 'content-security-policy': PAGE_POLICY };
}
