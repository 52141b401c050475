// What the document promises, without its prose: every operation with what it takes and answers, every schema with its
// fields and their bounds. A change of the interface shows in openapi.txt, and is meant (`vitest -u` writes it anew).
import { expect, test } from 'vitest';

import { openTestHttp } from '../../test/harness/http.ts';

interface Schema extends Record<string, unknown> {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
}
interface Answer {
  headers?: object;
  content?: Record<string, { schema: Schema }>;
}
interface Operation {
  operationId: string;
  tags: string[];
  security: object[];
  parameters?: { in: string; name: string; required?: boolean; schema: Schema }[];
  requestBody?: Answer & { required?: boolean };
  responses: Record<string, Answer>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; securitySchemes: object };
}

const PROSE = new Set(['description', 'example', 'examples', 'title', 'summary']);
const KNOWN = new Set([
  '$ref',
  'properties',
  'required',
  'items',
  'additionalProperties',
  'oneOf',
  'anyOf',
  'allOf',
]);

function outline(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.replace(/.*\//, '');
  const { properties, required = [], items, additionalProperties: rest, type = '' } = schema;
  const parts = [String(type)];
  for (const kind of ['oneOf', 'anyOf', 'allOf'] as const)
    if (schema[kind]) parts.push(`${kind}(${schema[kind].map(outline).join(' | ')})`);
  if (properties) {
    const fields = Object.entries(properties).map(
      ([name, each]) => `${name}${required.includes(name) ? '' : '?'}: ${outline(each)}`,
    );
    parts.push(`{ ${fields.join(', ')} }`);
  }
  if (items) parts.push(`[${outline(items)}]`);
  if (typeof rest === 'object') parts.push(`{ *: ${outline(rest)} }`);
  for (const [name, value] of Object.entries(schema))
    if (!PROSE.has(name) && !KNOWN.has(name) && name !== 'type')
      parts.push(`${name}=${JSON.stringify(value)}`);
  return parts.filter((part) => part !== '').join(' ');
}

function outlineContent({ content = {}, headers = {} }: Answer): string {
  const bodies = Object.entries(content).map(([type, { schema }]) => `${type} ${outline(schema)}`);
  return [
    ...bodies,
    ...(Object.keys(headers).length > 0 ? [`+ ${Object.keys(headers).sort().join(', ')}`] : []),
  ].join(' ');
}

function outlineOperation(name: string, operation: Operation): string[] {
  const { operationId, tags, security, parameters = [], requestBody, responses } = operation;
  return [
    `${name} (${operationId}, ${tags.join()}) ${JSON.stringify(security)}`,
    ...parameters.map(
      ({ in: where, name: each, required, schema }) =>
        `  ${where} ${each}${required === true ? '' : '?'}: ${outline(schema)}`,
    ),
    ...(requestBody
      ? [`  body${requestBody.required === true ? '' : '?'}: ${outlineContent(requestBody)}`]
      : []),
    ...Object.entries(responses).map(([status, answer]) => `  ${status}: ${outlineContent(answer)}`),
  ];
}

async function readDocument(): Promise<Document> {
  const http = await openTestHttp();
  const { json } = await http.ask('GET /openapi.json');
  await http.close();
  return json as Document;
}

test('its operations and schemas are those of openapi.txt', async () => {
  const document = await readDocument();
  const operations = [document.paths, document.webhooks].flatMap((paths) =>
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]) =>
        outlineOperation(`${method.toUpperCase()} ${path}`, operation),
      ),
    ),
  );
  const { schemas, securitySchemes } = document.components;
  const lines = [
    ...operations,
    ...Object.entries(schemas).map(([name, schema]) => `${name}: ${outline(schema)}`),
    JSON.stringify(securitySchemes, (key, value: unknown) => (PROSE.has(key) ? undefined : value)),
  ];
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('openapi.txt');
});
