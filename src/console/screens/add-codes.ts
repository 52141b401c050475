// Adding codes: pasted text and files go into the import of the bot; its preview asks what is not clear, and what was
// added can be undone for an hour.
import { html } from 'hono/html';

import { createSpreadsheetReader, isSpreadsheetName, readListFile } from '../../core/index.ts';
import {
  BASE,
  ConsoleProblem,
  goTo,
  idIn,
  memberOf,
  requireNumber,
  type Html,
  type Screen,
  type ScreenContext,
} from '../context.ts';
import { choiceField, form, hiddenField } from '../parts/form.ts';
import { page } from '../parts/page.ts';
import { importPreview } from './import-preview.ts';
import { labelDenomination } from './stock.ts';
import { showAdded, undo } from './undo-codes.ts';

export const addCodesScreen: Screen = {
  name: 'add-codes',
  routes: [
    { method: 'GET', path: '/stock/add', needs: 'addCodes', run: ask },
    { method: 'POST', path: '/stock/add', needs: 'addCodes', run: take },
    { method: 'GET', path: '/stock/add/:id', needs: 'addCodes', run: preview },
    { method: 'POST', path: '/stock/add/:id/answer', needs: 'addCodes', run: answer },
    { method: 'POST', path: '/stock/add/:id/supplier', needs: 'addCodes', run: setSupplier },
    { method: 'POST', path: '/stock/add/:id/commit', needs: 'addCodes', run: commit },
    { method: 'POST', path: '/stock/add/:id/cancel', needs: 'addCodes', run: cancel },
    { method: 'GET', path: '/stock/added/:id', needs: 'undoImport', run: showAdded },
    { method: 'POST', path: '/stock/added/:id/undo', needs: 'undoImport', run: undo },
  ],
};

const readSpreadsheet = createSpreadsheetReader();

function ask(context: ScreenContext): Html {
  const { core, t, language, ids } = context;
  const games = core.games.managed;
  const open = core.imports.findOpen(memberOf(context));
  const denominations = games.flatMap((game) =>
    game.denominations.map((denomination) => {
      const of = games.length > 1 ? ` · ${core.games.nameOf(game.id, language)}` : '';
      return [`${game.id}:${denomination}`, labelDenomination(game, denomination) + of] as const;
    }),
  );
  const byText = games.map((game) => {
    const of = games.length > 1 ? ` · ${core.games.nameOf(game.id, language)}` : '';
    return [`${game.id}:`, t('add-by-text') + of] as const;
  });
  const which = choiceField({
    ...{ name: 'which', label: t('add-which'), hint: t('add-which-hint') },
    choices: [...byText, ...denominations],
    value: open ? `${open.gameId}:${open.denomination ?? ''}` : '',
  });
  const body = html`${
    open
      ? html`<p class="said">
          ${t('add-open')} <a href="${BASE}/stock/add/${open.id}">${t('add-open-go-on')}</a>
        </p>`
      : ''
  }
  ${form(context, {
    action: '/stock/add',
    multipart: true,
    body: html`${hiddenField('piece', ids.uuid())}${which}
      <label class="field wide">
        <span>${t('add-paste')}</span>
        <textarea name="text" rows="12" spellcheck="false" autocomplete="off"></textarea>
        <small>${t('add-paste-hint')}</small>
      </label>
      <label class="field">
        <span>${t('add-files')}</span>
        <input type="file" name="files" multiple accept=".txt,.csv,.xlsx,.xlsm" />
      </label>
      <button class="main">${t('add-look')}</button> <small>${t('add-nothing-yet')}</small>`,
  })}`;
  return page(context, { title: t('add-title'), current: 'stock', body });
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
      ...{ title: t('add-title'), current: 'stock' },
      body: html`<p>${t('add-decided')}</p>
        <p><a class="button" href="${BASE}/stock">${t('stock-title')}</a></p>`,
    });
  const found = await core.imports.preview(actor, importId);
  const body = importPreview(context, { importId, state, preview: found });
  return page(context, { title: t('add-preview-title'), current: 'stock', body });
}

async function answer(context: ScreenContext): Promise<Response> {
  const { core, field } = context;
  const importId = idIn(context);
  const chosen = field('denomination');
  const denomination = chosen === 'out' ? ('leftOut' as const) : requireNumber(chosen);
  await core.imports.answer(memberOf(context), importId, { key: field('key'), denomination });
  return goTo(context, `/stock/add/${importId}`);
}

async function setSupplier(context: ScreenContext): Promise<Response> {
  const { core, field } = context;
  const importId = idIn(context);
  await core.imports.setSupplier(memberOf(context), importId, field('supplier').trim() || undefined);
  return goTo(context, `/stock/add/${importId}`);
}

/** Once, however often it is pressed; what was previewed, or nothing. */
async function commit(context: ScreenContext): Promise<Response> {
  const { core, field } = context;
  const importId = idIn(context);
  const options = { revision: field('revision') };
  const committed = await core.imports.commit(memberOf(context), importId, options);
  return committed
    ? goTo(context, `/stock/added/${committed.batchId}`)
    : goTo(context, '/stock', 'codes-dropped');
}

async function cancel(context: ScreenContext): Promise<Response> {
  await context.core.imports.cancel(memberOf(context), idIn(context));
  return goTo(context, '/stock', 'codes-dropped');
}
