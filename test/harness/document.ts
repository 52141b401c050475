// openapi.json as a judge: whether an answer is one that the document tells of, its body and its headers.
import { z } from 'zod';

interface Response {
  content?: Record<string, { schema: object }>;
  headers?: Record<string, object>;
}

interface OpenApi {
  paths: Record<string, Record<string, { responses: Record<string, Response> }>>;
  components: { schemas: Record<string, object> };
}

interface SeenAnswer {
  method: string;
  /** With its query. */
  path: string;
  status: number;
  body: string;
}

/** What is wrong with an answer; undefined where nothing is, or where the document tells nothing of such a request. */
export type JudgeAnswer = (answer: SeenAnswer) => string | undefined;

/** Of the service at that address. */
export const readDocument = async (url: string): Promise<JudgeAnswer> =>
  createJudge(await (await fetch(`${url}/openapi.json`)).text());

export function createJudge(text: string): JudgeAnswer {
  const document = JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')) as OpenApi;
  const schemas = new Map<object, z.ZodType>();
  const compile = (schema: object) => {
    const known = schemas.get(schema);
    if (known) return known;
    const compiled = z.fromJSONSchema({
      ...schema,
      $defs: document.components.schemas,
    } as never);
    schemas.set(schema, compiled);
    return compiled;
  };
  const templates = Object.keys(document.paths).map((path) => ({
    path,
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));

  return ({ method, path, status, body }) => {
    const [bare = ''] = path.split('?');
    const template =
      templates.find(({ path: exact }) => exact === bare) ??
      templates.find(({ pattern }) => pattern.test(bare));
    const operation = template && document.paths[template.path]?.[method.toLowerCase()];
    if (!operation || method === 'HEAD') return undefined;
    const response = operation.responses[String(status)] ?? operation.responses['default'];
    if (!response) return `${method} ${bare} ${status} is not in the document`;
    const schema = response.content?.['application/json']?.schema;
    if (!schema) return undefined;
    let parsed: unknown;
    try {
      parsed = JSON.parse(body);
    } catch {
      return `${method} ${bare} ${status} is no JSON: ${body.slice(0, 200)}`;
    }
    const judged = compile(schema).safeParse(parsed);
    if (judged.success) return undefined;
    return `${method} ${bare} ${status} breaks the document (${judged.error.issues[0]?.path.join('.')}: ${judged.error.issues[0]?.message}): ${body.slice(0, 300)}`;
  };
}
