// The page for those who integrate: docs/integrating.md as prose, its contents beside it, and below it the place where
// start.js puts the reference. Made when it is first asked for; it contacts no other host and runs no script inside
// itself.
import { readFile } from 'node:fs/promises';

import { asset } from '../files.ts';
import { VERSION } from './openapi.ts';
import { EXAMPLE_ORDER_KEY } from '../wire/fields.ts';

const SOURCE = asset('docs/integrating.md');
export const STYLE = asset('src/http/docs.css');

/** What the prose calls the service; the page knows its own address. */
const EXAMPLE_BASE = 'http://localhost:3000';

/**
 * Puts the reference on the page, in the colours that the reader's machine asks for; commands name this very service
 * and are copied by a button. A request that is tried out from the page has a key of its own each time, unless the
 * reader wrote one: the key of the example would repeat the first answer.
 */
export const START = `const dark = matchMedia('(prefers-color-scheme: dark)');
const dress = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dress();
dark.addEventListener('change', dress);
// On a narrow screen the contents would push the text away.
const contents = document.querySelector('.contents details');
if (contents && matchMedia('(max-width: 60rem)').matches) contents.open = false;

const base = new URL('.', location.href).href.slice(0, -1);
for (const code of document.querySelectorAll('.prose pre code')) {
  code.textContent = code.textContent.replaceAll('${EXAMPLE_BASE}', base);
  // There is none where the page comes by plain http.
  if (!navigator.clipboard) continue;
  const button = document.createElement('button');
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = 'Copy'), 2000);
  });
  const frame = document.createElement('div');
  frame.className = 'code';
  code.parentElement.replaceWith(frame);
  frame.append(code.parentElement, button);
}

const EXAMPLE_KEY = '${EXAMPLE_ORDER_KEY}';
SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#page',
  deepLinking: true,
  validatorUrl: null,
  persistAuthorization: false,
  defaultModelsExpandDepth: 0,
  requestInterceptor(request) {
    if (request.headers && request.headers['Idempotency-Key'] === EXAMPLE_KEY)
      request.headers['Idempotency-Key'] = 'try-' + crypto.getRandomValues(new Uint32Array(2)).join('-');
    return request;
  },
});
`;

/** The whole page. Rejects where the text is not there. */
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
  return wrap(body, contents.join('\n            '));
}

function wrap(body: string, contents: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Code Redemption Service: guide and reference</title>
    <link rel="icon" type="image/png" href="docs/favicon-32x32.png">
    <link rel="stylesheet" href="docs/swagger-ui.css">
    <link rel="stylesheet" href="docs/docs.css">
  </head>
  <body>
    <header class="top">
      <strong>Code Redemption Service</strong>
      <small>${VERSION}</small>
      <a href="#reference">Reference</a>
      <a href="openapi.json">OpenAPI</a>
    </header>
    <div class="columns">
      <nav class="contents" aria-label="Contents">
        <details open>
          <summary>Contents</summary>
          <div>
            ${contents}
            <a href="#reference">Reference</a>
          </div>
        </details>
      </nav>
      <div>
        <article class="prose">
${body}        </article>
        <section id="reference">
          <h2>Reference</h2>
          <div id="page"></div>
        </section>
      </div>
    </div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;
}
