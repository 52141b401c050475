// Mutants by rule: every place of a source file where a rule can change one thing, in TypeScript and in the SQL inside
// it. A seed draws a sample, so that two runs over one tree try the same ones.
import { readFileSync } from 'node:fs';
import ts from 'typescript';

import type { Planting } from './planted-tree.ts';
import { createSeeded } from '../harness/seeded.ts';

export interface Mutant extends Planting {
  /** `conjunct: src/core/quota/usage.ts:41`. */
  name: string;
}

interface Site {
  rule: string;
  start: number;
  end: number;
  text: string;
}

/** States that stand for one another: each list is the states of one thing. */
const STATES = [
  ['available', 'unverified', 'reserved', 'in_doubt', 'redeemed', 'used', 'invalid', 'extracted', 'undone'],
  ['pending', 'redeemed', 'failed', 'in_doubt'],
  ['open', 'spent', 'not_spent', 'unknown'],
  ['waiting', 'running', 'done', 'stopped', 'cancelled'],
];

const COMPARISONS: Record<string, string> = {
  '===': '!==',
  '!==': '===',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
};

const BOUNDS: Record<string, string> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };

/** All that the rules can change in one file, in the order of its text. */
function listMutants(path: string, source: string): Mutant[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.ESNext, true);
  const sites: Site[] = [];
  const visit = (node: ts.Node): void => {
    sites.push(...sitesOf(node, file));
    ts.forEachChild(node, visit);
  };
  visit(file);
  const changing = sites.filter(({ start, end, text }) => source.slice(start, end) !== text);
  return changing.map((site) => plant(path, source, file, site));
}

/** The whole line, or as many as make the text to be found the only one of its kind. */
function plant(path: string, source: string, file: ts.SourceFile, { rule, start, end, text }: Site): Mutant {
  let from = source.lastIndexOf('\n', start - 1) + 1;
  let to = lineEnd(source, end);
  while (source.indexOf(source.slice(from, to)) !== source.lastIndexOf(source.slice(from, to))) {
    from = from === 0 ? 0 : source.lastIndexOf('\n', from - 2) + 1;
    to = lineEnd(source, to + 1);
  }
  const line = file.getLineAndCharacterOfPosition(start).line + 1;
  const find = source.slice(from, to);
  return {
    name: `${rule}: ${path}:${line}`,
    file: path,
    edits: [[find, source.slice(from, start) + text + source.slice(end, to)]],
  };
}

function lineEnd(source: string, from: number): number {
  const end = source.indexOf('\n', from);
  return end === -1 ? source.length : end;
}

/** What cannot even be read says nothing of the tests. */
function isSyntax(root: string, { file, edits }: Mutant): boolean {
  const source = readFileSync(`${root}/${file}`, 'utf8');
  const changed = edits.reduce((text, [find, replace]) => text.replace(find, () => replace), source);
  const { diagnostics = [] } = ts.transpileModule(changed, { reportDiagnostics: true });
  return diagnostics.length === 0;
}

function sitesOf(node: ts.Node, file: ts.SourceFile): Site[] {
  const site = (rule: string, at: ts.Node, text: string): Site => ({
    rule,
    start: at.getStart(file),
    end: at.getEnd(),
    text,
  });
  if (ts.isBinaryExpression(node)) {
    const { left, right, operatorToken } = node;
    const operator = operatorToken.getText(file);
    if (operator === '&&' || operator === '||') {
      const rule = operator === '&&' ? 'conjunct' : 'alternative';
      return [left, right].map((kept) => site(rule, node, kept.getText(file)));
    }
    const negated = COMPARISONS[operator];
    const bound = BOUNDS[operator];
    return [
      ...(negated ? [site('negated', operatorToken, negated)] : []),
      ...(bound ? [site('bound', operatorToken, bound)] : []),
    ];
  }
  if (ts.isIfStatement(node)) {
    const { expression, thenStatement } = node;
    return [
      site('condition', expression, `!(${expression.getText(file)})`),
      ...(node.elseStatement ? [] : [site('guard', node, `if (${expression.getText(file)}) {}`)]),
    ].filter(({ text }) => text !== `if (${expression.getText(file)}) ${thenStatement.getText(file)}`);
  }
  if (ts.isExpressionStatement(node)) return [site('statement', node, ';')];
  if (ts.isNumericLiteral(node) && !ts.isEnumMember(node.parent)) {
    const value = Number(node.text.replaceAll('_', ''));
    if (!Number.isSafeInteger(value)) return [];
    return value > 1
      ? [site('tenfold', node, String(value * 10)), site('one more', node, String(value + 1))]
      : [site('one more', node, String(value + 1))];
  }
  if (ts.isStringLiteral(node) && !isType(node))
    return statesIn(node.text).map((text) => site('state', node, `'${text}'`));
  if (isTemplatePart(node)) return sqlSites(node, file);
  return [];
}

/** What is no value, but says of which kind one is. */
const isType = (node: ts.Node) => ts.isLiteralTypeNode(node.parent) || ts.isImportDeclaration(node.parent);

/** The state after it in its list: one other, so that a place is one mutant. */
function statesIn(text: string): string[] {
  return STATES.filter((states) => states.includes(text))
    .slice(0, 1)
    .map((states) => states[(states.indexOf(text) + 1) % states.length] ?? text);
}

const isTemplatePart = (node: ts.Node) =>
  ts.isNoSubstitutionTemplateLiteral(node) ||
  ts.isTemplateHead(node) ||
  ts.isTemplateMiddle(node) ||
  ts.isTemplateTail(node);

const SQL_RULES: [rule: string, pattern: RegExp, by: (match: string) => string][] = [
  // Up to where the next condition or clause begins; what reaches into a value is left alone.
  [
    'sql conjunct',
    / and [a-z_.]+ (?:=|<>|<|>|<=|>=|is|is not) (?:'[a-z_]*'|[0-9]+|[a-z_.]+)(?=[\s`)]|$)/g,
    () => '',
  ],
  ['sql negated', / (?:is not null|is null|<>|=)/g, (match) => SQL_NEGATED[match.trim()] ?? match],
  ['sql bound', / (?:<=|>=|<|>) /g, (match) => ` ${BOUNDS[match.trim()] ?? match.trim()} `],
  ['sql state', /'[a-z_]+'/g, (match) => `'${statesIn(match.slice(1, -1))[0] ?? match.slice(1, -1)}'`],
  ['sql order', / (?:asc|desc)\b/g, (match) => (match === ' asc' ? ' desc' : ' asc')],
  ['sql one more', / [+-] 1\b/g, (match) => match.replace('1', '2')],
];

const SQL_NEGATED: Record<string, string> = {
  'is null': ' is not null',
  'is not null': ' is null',
  '<>': ' =',
  '=': ' <>',
};

function sqlSites(node: ts.Node, file: ts.SourceFile): Site[] {
  const start = node.getStart(file);
  const text = node.getText(file);
  if (!/\b(?:select|update|insert|delete|where|and|set|when|state|order by)\b/i.test(text)) return [];
  return SQL_RULES.flatMap(([rule, pattern, by]) =>
    [...text.matchAll(pattern)].map(({ 0: match, index }) => ({
      rule,
      start: start + index,
      end: start + index + match.length,
      text: by(match),
    })),
  );
}

/**
 * Draws `count` of all that the rules can change in `files`, read below `root`. Rules are drawn alike, and of a rule
 * its places: what is changed most often would be drawn alone otherwise.
 */
export function drawMutants(root: string, files: readonly string[], count: number, seed: number): Mutant[] {
  const random = createSeeded(seed);
  const byRule = new Map<string, Mutant[]>();
  for (const file of files) {
    for (const mutant of listMutants(file, readFileSync(`${root}/${file}`, 'utf8'))) {
      const rule = mutant.name.slice(0, mutant.name.indexOf(':'));
      const places = byRule.get(rule);
      if (places) places.push(mutant);
      else byRule.set(rule, [mutant]);
    }
  }
  const drawn: Mutant[] = [];
  while (drawn.length < count && byRule.size > 0) {
    const rule = random.pick([...byRule.keys()]);
    const places = byRule.get(rule) ?? [];
    const [mutant] = places.splice(random.between(0, places.length - 1), 1);
    if (places.length === 0) byRule.delete(rule);
    if (mutant && isSyntax(root, mutant)) drawn.push(mutant);
  }
  return drawn;
}
