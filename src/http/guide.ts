// The two pages for those who integrate: docs/integrating.md as prose, its contents beside it, and the reference. They contact no
// other host and run no script inside themselves.
import { readFile } from 'node:fs/promises';

import { asset } from '../files.ts';
import { VERSION } from './openapi.ts';
import { EXAMPLE_ORDER_KEY } from '../wire/fields.ts';

const SOURCE = asset('docs/integrating.md');

/** What the prose calls the service; the page knows its own address. */
const EXAMPLE_BASE = 'http://localhost:3000';

/** The commands name this very service, however it is reached. */
export const PROSE_SCRIPT = `const base = new URL('.', location.href).href.slice(0, -1);
for (const code of document.querySelectorAll('pre code'))
  code.textContent = code.textContent.replaceAll('${EXAMPLE_BASE}', base);
`;

/**
 * The reference as its makers dress it, light or dark as the reader's machine is. A request that is tried out has a key of its own
 * each time, unless the reader wrote one: the key of the example would repeat the first answer.
 */
export const REFERENCE_SCRIPT = `const dark = matchMedia('(prefers-color-scheme: dark)');
document.documentElement.classList.toggle('dark-mode', dark.matches);
SwaggerUIBundle({
  url: '../openapi.json',
  dom_id: '#page',
  deepLinking: true,
  validatorUrl: null,
  requestInterceptor(request) {
    if (request.headers && request.headers['Idempotency-Key'] === '${EXAMPLE_ORDER_KEY}')
      request.headers['Idempotency-Key'] = 'try-' + crypto.getRandomValues(new Uint32Array(2)).join('-');
    return request;
  },
});
`;

/** The prose, made when it is first asked for. Rejects where the text is not there. */
export async function renderGuide(): Promise<string> {
  // Loaded when somebody reads, which is seldom.
  const { marked } = await import('marked');
  const text = await marked.parse(await readFile(SOURCE, 'utf8'));
  const contents: string[] = [];
  const body = text
    // What is wider than the column is reached by the keyboard, too.
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replaceAll('<table>', '<div class="wide" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll(/<h2>(.*?)<\/h2>/g, (_, title: string) => {
      const id = title
        .toLowerCase()
        .replaceAll(/<[^<>]*>|&\w+;|[^\w ]/g, '')
        .replaceAll(' ', '-');
      contents.push(`<a href="#${id}">${title}</a>`);
      return `<h2 id="${id}">${title}</h2>`;
    });
  return page(
    'docs/',
    `<link rel="stylesheet" href="docs/docs.css">`,
    `<header class="top">
      <strong>Code Redemption Service</strong>
      <small>${VERSION}</small>
      <a href="docs/reference">Reference</a>
      <a href="openapi.json">OpenAPI</a>
    </header>
    <div class="columns">
      <nav class="contents" aria-label="Contents">
            ${contents.join('\n            ')}
      </nav>
      <article class="prose">
${body}      </article>
    </div>
    <script src="docs/prose.js"></script>`,
  );
}

/** The page on which the reference is tried out. */
export const REFERENCE = page(
  '',
  '<link rel="stylesheet" href="swagger-ui.css">',
  '<div id="page"></div><script src="swagger-ui-bundle.js"></script><script src="reference.js"></script>',
);

function page(files: string, style: string, body: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Code Redemption Service: guide and reference</title>
    <link rel="icon" type="image/png" href="${files}favicon-32x32.png">
    ${style}
  </head>
  <body>
    ${body}
  </body>
</html>
`;
}
