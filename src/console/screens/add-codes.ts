// Adding codes: pasted text and files go into the import of the bot; its preview asks what is not clear, and what was
// added can be undone for an hour.
import { html } from 'hono/html';

import { createSpreadsheetReader, isSpreadsheetName, readListFile } from '../../core/index.ts';
import {
  ConsoleProblem,
  goTo,
  idIn,
  memberOf,
  requireNumber,
  type Html,
  type Screen,
  type ScreenContext,
} from '../context.ts';
import { act, get } from '../parts/acts.ts';
import { choiceField, form, hidden } from '../parts/form.ts';
import { link, linkButton } from '../parts/labels.ts';
import { page } from '../parts/page.ts';
import { importPreview } from './import-preview.ts';
import { labelDenomination } from './stock.ts';

/** Acts on an import; each leads back to its preview where nothing else is said. */
const ofImport = { find: idIn, to: (importId: number) => `/stock/add/${importId}` };

export const addCodesScreen: Screen = {
  name: 'add-codes',
  routes: [
    get('/stock/add', 'addCodes', ask),
    act('/stock/add', 'addCodes', { run: take, form: ask }),
    get('/stock/add/:id', 'addCodes', preview),
    act('/stock/add/:id/answer', 'addCodes', { ...ofImport, run: answer, form: preview }),
    act('/stock/add/:id/supplier', 'addCodes', { ...ofImport, run: setSupplier }),
    act('/stock/add/:id/commit', 'addCodes', { ...ofImport, run: commit }),
    act('/stock/add/:id/cancel', 'addCodes', {
      ...{ find: idIn, to: '/stock', said: 'codes-dropped' },
      run: ({ core, ...context }, importId) => core.imports.cancel(memberOf(context), importId),
    }),
  ],
};

const readSpreadsheet = createSpreadsheetReader();

function ask(context: ScreenContext): Html {
  const { core, t, language, ids, field: typed } = context;
  const games = core.games.managed;
  const open = core.imports.findOpen(memberOf(context));
  const name = (gameId: string) => (games.length > 1 ? ` · ${core.games.nameOf(gameId, language)}` : '');
  const byText = games.map(({ id }) => [`${id}:`, t('add-by-text') + name(id)] as const);
  const denominations = games.flatMap((game) =>
    game.denominations.map(
      (each) => [`${game.id}:${each}`, labelDenomination(game, each) + name(game.id)] as const,
    ),
  );
  const which = choiceField({
    ...{ name: 'which', label: t('add-which'), hint: t('add-which-hint') },
    choices: [...byText, ...denominations],
    value: typed('which') || (open ? `${open.gameId}:${open.denomination ?? ''}` : ''),
  });
  const goOn = open && link(`/stock/add/${open.id}`, t('add-open-go-on'));
  const fields = html`${hidden({ piece: typed('piece') || ids.uuid() })}${which}
    <label class="field wide">
      <span>${t('add-paste')}</span>
      <textarea name="text" rows="12" spellcheck="false" autocomplete="off">${typed('text')}</textarea>
      <small>${t('add-paste-hint')}</small>
    </label>
    <label class="field">
      <span>${t('add-files')}</span>
      <input type="file" name="files" multiple accept=".txt,.csv,.xlsx,.xlsm" />
    </label>
    <button class="main">${t('add-look')}</button> <small>${t('add-nothing-yet')}</small>`;
  const body = html`${goOn && html`<p class="said">${t('add-open')} ${goOn}</p>`}
  ${form('/stock/add', fields, { multipart: true })}`;
  return page(context, { title: t('add-title'), body });
}

/** Into the import that is open, or a new one. The same page sent twice adds nothing twice. */
async function take(context: ScreenContext): Promise<Response> {
  const { core, field, clock } = context;
  const actor = memberOf(context);
  const [, gameId = '', denomination = ''] = /^(.{1,100}):(\d{0,9})$/.exec(field('which')) ?? [];
  if (!/^[\w-]{36}$/.test(field('piece'))) throw new ConsoleProblem(400, 'bad-form');
  const pieces = await readPieces(context);
  if (pieces.length === 0) throw new ConsoleProblem(400, 'nothing-pasted');
  const open = core.imports.findOpen(actor);
  if (open && open.gameId !== gameId) throw new ConsoleProblem(409, 'other-import');
  const target = { gameId, ...(denomination !== '' && { denomination: Number(denomination) }) };
  const importId = open?.id ?? (await core.imports.begin(actor, target));
  const at = clock.now();
  for (const [index, piece] of pieces.entries()) {
    const placed = { ...piece, key: `page:${field('piece')}:${index}`, position: at + index };
    const taken = await core.imports.addPiece(actor, importId, placed);
    if (taken === 'full') throw new ConsoleProblem(413, 'import-full');
  }
  return goTo(context, `/stock/add/${importId}`, open && 'codes-joined');
}

async function readPieces({ core, field, files }: ScreenContext) {
  const text = field('text');
  const pieces: { kind: 'message' | 'file'; text: string; name?: string }[] = [];
  if (text.trim() !== '') pieces.push({ kind: 'message', text });
  const codePatterns = core.games.managed.map(({ codePattern }) => codePattern);
  for (const file of files('files')) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const order = { bytes, codePatterns, isSpreadsheet: isSpreadsheetName(file.name) };
    const read = await readListFile(readSpreadsheet, order);
    if (typeof read === 'string') throw new ConsoleProblem(400, 'file-unreadable', { file: file.name });
    pieces.push({ kind: 'file', text: read.text, name: file.name });
  }
  return pieces;
}

async function preview(context: ScreenContext): Promise<Html> {
  const { core, t } = context;
  const actor = memberOf(context);
  const importId = idIn(context);
  const state = core.imports.describe(actor, importId);
  if (state.state !== 'collecting')
    return page(context, {
      title: t('add-title'),
      body: html`<p>${t('add-decided')}</p>
        <p>${linkButton('/stock', t('stock-title'))}</p>`,
    });
  const found = await core.imports.preview(actor, importId);
  const body = importPreview(context, { importId, state, preview: found });
  return page(context, { title: t('add-preview-title'), body });
}

async function answer({ core, field, ...context }: ScreenContext, importId: number): Promise<void> {
  const chosen = field('denomination');
  const denomination =
    chosen === 'out' ? ('leftOut' as const) : chosen === 'good' ? ('good' as const) : requireNumber(chosen);
  await core.imports.answer(memberOf(context), importId, { key: field('key'), denomination });
}

/** As it stands in the form: it is typed beside what adds the codes. */
async function setSupplier({ core, fields, ...context }: ScreenContext, importId: number): Promise<void> {
  if (fields['supplier'] === undefined) return;
  await core.imports.setSupplier(memberOf(context), importId, fields['supplier'].trim() || undefined);
}

/** Once, however often it is pressed; what was previewed, or nothing. */
async function commit(context: ScreenContext, importId: number): Promise<Response> {
  await setSupplier(context, importId);
  const options = { revision: context.field('revision') };
  const committed = await context.core.imports.commit(memberOf(context), importId, options);
  return committed
    ? goTo(context, `/batches/${committed.batchId}`, 'codes-added')
    : goTo(context, '/stock', 'codes-dropped');
}
