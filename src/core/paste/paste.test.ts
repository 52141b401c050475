// What pastes look like in the wild, and what is read in them. Laws over random pastes: laws.test.ts.
import { describe, expect, test } from 'vitest';
import { pasteGame } from '../../../test/harness/paste-game.ts';
import { decodePaste } from './files.ts';
import { readPaste } from './reading.ts';
import type { PastePiece } from './messages.ts';

const game = pasteGame([60, 325, 660, 1800, 3850, 8100]);
const A = 'AAAA1111bbbb2222';
const B = 'BBBB3333cccc4444';
const C = 'CCCC5555dddd6666';

/** `60 CODE`, `? CODE` where no denomination is known, `! text` for malformed. */
function read(pieces: string | PastePiece[], denomination?: number): string[] {
  const list = typeof pieces === 'string' ? [message(pieces)] : pieces;
  const found: string[] = [];
  for (const token of readPaste(list, game, denomination === undefined ? {} : { denomination })) {
    if (token.kind === 'code') found.push(`${token.denomination ?? '?'} ${token.code}`);
    if (token.kind === 'unknown') found.push(`! ${token.text}`);
  }
  return found;
}
const message = (text: string): PastePiece => ({ kind: 'message', text });
const file = (text: string): PastePiece => ({ kind: 'file', text });

test('how many codes there are, said before the first of them, is no heading; after a code it is asked about', () => {
  expect(read(`100 codes\n${A}`, 60)).toEqual([`60 ${A}`]);
  expect(read([file(`100 codes\n${A}`)], 60)).toEqual([`60 ${A}`]);
  expect(read(`${A}\n100 codes\n${B}`, 60)).toEqual([`60 ${A}`, `? ${B}`]);
});

describe('separators', () => {
  const separators = [
    ' ',
    ', ',
    ',',
    ';',
    '\t',
    '|',
    '"',
    '\r\n',
    '\r',
    '\n',
    '\0',
    '\ufeff',
    '\u200b',
    '\u00a0',
    ' - ',
  ]
    .concat([
      ' — ',
      '\n• ',
      '\n* ',
      '\n- ',
      '\u2028',
      '`\n`',
      '**\n**',
      '"\n"',
      "','",
      '\\n',
      ' ----',
      '、',
      '✅',
      '</b><b>',
    ])
    .concat(['\n1. ', '\n2) ', '\n1.', '\n1)', '\n1️⃣ ', '\n①', '\n60. ', '\n60) ', '). (', '...\n']);
  test.each(separators)('%j keeps codes apart', (separator) => {
    expect(read(A + separator + B + separator + C, 325)).toEqual([`325 ${A}`, `325 ${B}`, `325 ${C}`]);
  });
  test('nothing is cut out of a longer token', () => {
    const long = A + B + C;
    for (const token of [
      'ABCD-EFGH-IJKL',
      `${A}-${B}`,
      `${A}_x`,
      `${A}.${B}`,
      long,
      `А${A}`,
      `${A}é`,
      `𝐀${A}`,
    ]) {
      expect(read(`(${token})`)).toEqual([`! ${token}`]);
    }
  });
  test('codes are told apart from prose, and prose from malformed codes', () => {
    expect(
      read(`hello, here are the codes I bought on 2024-05-06 at 10:00 for $0.99: well-known, 06.05.2024`),
    ).toEqual([]);
    expect(read('ABC123 AB12CD34EF5 1234567')).toEqual(['! ABC123', '! AB12CD34EF5', '! 1234567']);
    expect(read('123456789012 internationalization')).toEqual(['? 123456789012']);
    expect(read('ABCDEFGHIJKLMN'), 'a code has a digit').toEqual(['! ABCDEFGHIJKLMN']);
    expect(read('1234 5678 9012 3456')).toEqual(['! 1234 5678 9012 3456']);
    expect(read(`${'с'.repeat(32)} ${'с'.repeat(33)}`), 'no word is longer').toEqual([`! ${'с'.repeat(33)}`]);
  });
  test('a code in groups with dashes is the code without them', () => {
    expect(read('660 UC\nAB12-CD34-EF56 ✅\n1. GH12–CD34–EF56 ✅')).toEqual([
      '660 AB12CD34EF56',
      '660 GH12CD34EF56',
    ]);
    expect(read('code;uc\nAB12-CD34-EF56;60')).toEqual(['60 AB12CD34EF56']);
    const filler = `60 UC\n${'AB12-CD34-EF56\n'.repeat(270)}`;
    const cut = [message(`${filler}AB12-CD34-EF56`), message('GH12-CD34-EF56')];
    expect(read(cut).slice(270)).toEqual(['60 AB12CD34EF56', '60 GH12CD34EF56']);
  });
  test('a repeated code comes out as often as it was pasted', () => {
    expect(read(`${A} ${A}`)).toEqual([`? ${A}`, `? ${A}`]);
  });
});

describe('headings', () => {
  const sixty = [
    '60 UC',
    '60:',
    '60 UC:',
    '#60',
    '60',
    '— 60 UC —',
    '60uc',
    '**60 UC**',
    'UC 60',
    '[60]',
    '60 UC codes:',
  ];
  test.each([...sixty, 'Denomination: 60', 'for 60:', '60\u00a0UC', '=== 60 ==='])(
    '%j holds for what follows',
    (heading) => {
      expect(read(`${heading}\n${A}\n\n${B}`, 325)).toEqual([`60 ${A}`, `60 ${B}`]);
    },
  );
  test.each(['1,800 UC', '1 800 UC', '1800 UC', '1.800 UC', '1 800', '1,800UC', "1'800:", '1\u202f800 uc'])(
    '%j is one number',
    (heading) => {
      expect(read(`${heading}\n${A}`, 325)).toEqual([`1800 ${A}`]);
    },
  );
  test.each(['77 UC', '77:', '77', '2,325 UC', '2 325 UC', '60 UC and 325 UC', '60 pcs', '60 codes 325 rub'])(
    '%j leaves no former denomination in force',
    (heading) => {
      expect(read(`60 UC\n${A}\n${heading}\n${B}`)[0]).toBe(`60 ${A}`);
      expect(read(`660 UC\n${heading}\n${B}`)).toEqual([`? ${B}`]);
    },
  );
  test.each(['hello', '60 $', '$60', '2024-05-06', 'codes', '100 pcs', '10:00'])(
    '%j is no heading',
    (line) => {
      expect(read(`660 UC\n${line}\n${A}`)).toEqual([`660 ${A}`]);
    },
  );
  test('one after the other without a code between are asked about', () => {
    expect(read(`660 UC\n325 UC\n${A}\n${B}`)).toEqual([`? ${A}`, `? ${B}`]);
    expect(read(`660 UC\n\n325 UC\n\n660 UC\n${A}`), 'three of them').toEqual([`? ${A}`]);
    expect(read(`660 UC\n9.50 USD\n660:\n${A}`), 'the same twice').toEqual([`660 ${A}`]);
    expect(read(`60 UC - нет\n325 UC: sold out\n660 UC - 2 шт\n${A}`)).toEqual([`? ${A}`]);
    expect(read([message('660 UC'), message('325 UC'), message(A)]), 'corrected').toEqual([`325 ${A}`]);
    expect(read(`325 UC\n${A}`, 660), 'another than was chosen before').toEqual([`325 ${A}`]);
    const shown = [...readPaste([message(`660 UC\n325 UC\n${A}`)], game, {})];
    expect(shown).toContainEqual(
      expect.objectContaining({ kind: 'heading', text: '660 UC / 325 UC', denomination: undefined }),
    );
  });
  test('below their codes are asked about, and hold for nothing that follows', () => {
    expect(read(`${A}\n660 UC\n${B}\n60 UC`)).toEqual([`? ${A}`, `? ${B}`]);
    expect(read(`Код: ${A}\nНоминал: 660 UC\n\nКод: ${B}\nНоминал: 60 UC\nСпасибо!`), 'fields').toEqual([
      `660 ${A}`,
      `60 ${B}`,
    ]);
    expect(read(`${A}\n660 UC\n${B}\n60 UC`, 325), 'whatever was chosen').toEqual([`? ${A}`, `? ${B}`]);
    expect(read([message(`${A}\n660 UC`), message(`${B}\n60 UC`), message(C)])).toEqual([
      `? ${A}`,
      `? ${B}`,
      `? ${C}`,
    ]);
    expect(read(`${A} 60 UC\n${B}\n660 UC`), 'what its line says').toEqual([`60 ${A}`, `? ${B}`]);
    expect(read(`${A}\n660 UC\n${B}\n60 UC\n${C}`), 'above the last codes').toEqual([
      `? ${A}`,
      `660 ${B}`,
      `60 ${C}`,
    ]);
    expect(read(`${A}\n${B}\nTotal: 660 UC`, 660), 'the one chosen').toEqual([`660 ${A}`, `660 ${B}`]);
    expect(read(`660 UC\n${A}\n60 UC`), 'the first is above').toEqual([`660 ${A}`]);
  });
  test('line numbers are no denominations, whichever they reach', () => {
    for (const style of ['', '.', ')', ':', ' -']) {
      const lines = Array.from({ length: 70 }, (_, index) => `${index + 1}${style} ${A}`);
      expect(new Set(read(lines.join('\n'), 325))).toEqual(new Set([`325 ${A}`]));
    }
    const apart = Array.from({ length: 70 }, (_, index) => `${index + 1}\n${A}`).join('\n');
    expect(new Set(read(apart, 325))).toEqual(new Set([`325 ${A}`]));
  });
});

describe('amounts beside codes', () => {
  test('hold for their line', () => {
    expect(read(`660 UC\n60 UC - ${A}\n${B} 60 UC\n${C}`)).toEqual([`60 ${A}`, `60 ${B}`, `660 ${C}`]);
    expect(read(`${A},60\n${B};325\n${C}`)).toEqual([`60 ${A}`, `325 ${B}`, `? ${C}`]);
    expect(read(`60\t${A}\n"${B}","1,800"\n${C} | 77 UC`)).toEqual([`60 ${A}`, `1800 ${B}`, `? ${C}`]);
    expect(read(`${A} 60 UC ${B} 325 UC ${C}`, 660)).toEqual([`60 ${A}`, `325 ${B}`, `660 ${C}`]);
    expect(read(`60 UC ${A} 325 UC ${B} ${C}`, 660)).toEqual([`60 ${A}`, `325 ${B}`, `325 ${C}`]);
  });
  test('before several codes leave open what follows them without one', () => {
    expect(read(`60\n${A}\n325 UC ${B} ${C}\n${A}`)).toEqual([`60 ${A}`, `325 ${B}`, `325 ${C}`, `? ${A}`]);
    expect(read(`60\n325 UC ${B} ${C}\n60 UC ${A}\n660\n${B}`).slice(2)).toEqual([`60 ${A}`, `660 ${B}`]);
  });
  test('bare and against the heading in force, or what was chosen, are asked about', () => {
    expect(read(`60\n${A}\n325 ${B} ${C}\n${A}`)).toEqual([`60 ${A}`, `? ${B}`, `? ${C}`, `? ${A}`]);
    expect(read(`${A},60\n${B},325`, 325)).toEqual([`? ${A}`, `325 ${B}`]);
  });
  test('are asked about among words that are not known, and so are cells of such words', () => {
    for (const line of [`order #325: ${B}`, `325 от Ивана ${B}`, `${B} sold, 325 left`, `не 325 ${B}`]) {
      expect(read(`660 UC\n${A}\n${line}`), line).toEqual([`660 ${A}`, `? ${B}`]);
    }
    expect(read(`660 UC\norder #325: ${A}\n${B}`)).toEqual([`? ${A}`, `? ${B}`]);
    expect(read(`1,${A},325,paid\n2;${B};60;Ivan`)).toEqual([`? ${A}`, `? ${B}`]);
    expect(read(`${A} - 325 codes\n325 шт ${B}`)).toEqual([`325 ${A}`, `? ${B}`]);
    const lines = Array.from({ length: 70 }, (_, index) => `${index + 1}. Ivan ${A}`);
    expect(new Set(read(lines.join('\n'), 325))).toEqual(new Set([`? ${A}`]));
  });
  test('with a colon are a heading', () => {
    expect(read(`60 UC: ${A} ${B}\n${C}`)).toEqual([`60 ${A}`, `60 ${B}`, `60 ${C}`]);
  });
  test('two for the same codes leave them without', () => {
    for (const line of [`660, 60: ${A}, ${B}`, `60 ${A} ${B} 325`, `UC660 UC60 ${A} ${B}`])
      expect(read(line, 1800), line).toEqual([`? ${A}`, `? ${B}`]);
    expect(read(`660, 60: ${A}\n${B}`)).toEqual([`? ${A}`, `? ${B}`]);
    expect(read(`660: ${A}, 60: ${B}`)).toEqual([`660 ${A}`, `60 ${B}`]);
    expect(read(`660 ${A} 60 ${B} 325:\n${C}`)).toEqual([`660 ${A}`, `60 ${B}`, `325 ${C}`]);
  });
  test('two different ones for one code leave it without', () => {
    expect(read(`x,${A},60,325`, 660)).toEqual([`? ${A}`]);
  });
  test('hold for what follows a broken code, too', () => {
    expect([...readPaste([message('60: ABCD-1234')], game, {})]).toEqual([
      { kind: 'heading', text: '60', denomination: 60, first: 0, last: 0 },
      { kind: 'unknown', text: 'ABCD-1234', first: 0, last: 0 },
    ]);
  });
});

describe('tables', () => {
  test.each([
    [`code,denomination\n${A},60\n${B},325\n`],
    [`Denom;Voucher Code\r\n60;${A}\r\n325;${B}\r\n`],
    [`\ufeff"serial number"\t"PIN"\t"UC"\tdate\n${C}\t${A}\t60 UC\t2024-05-06\n${C}\t"${B}"\t325.00\t\n`],
    [`| key | value | price |\n|---|---|---|\n| ${A} | 60 | 325 |\n| ${B} | 325 | 60 |`],
    [`"amount","codes","note"\n"60","${A}","a ""quoted"", ${C}"\n325,${B},${C}`],
  ])('%j', (text) => {
    expect(read([file(text)])).toEqual([`60 ${A}`, `325 ${B}`]);
  });
  test('a column of products tells the denomination where none of denominations does', () => {
    expect(read(`PRODUCT;PIN\n660 UC;${A}\nGame 60 UC;${B}`)).toEqual([`660 ${A}`, `60 ${B}`]);
    expect(read(`325:\nproduct,code\nGift card,${A}\n660 UC Turkey,${B}`)).toEqual([`325 ${A}`, `? ${B}`]);
    expect(read(`product,code,uc\n60 UC,${A},660`)).toEqual([`660 ${A}`]);
  });
  test('what stands in the column of codes and is none is malformed', () => {
    expect(read(`code,amount\nsold,60\n${A}-X,60\n,60`)).toEqual(['! sold', `! ${A}-X`]);
  });
  test('a row says its own denomination, or none when the game has no such', () => {
    expect(read(`660:\ncode,amount\n${A},\n${B},77\n${C},60`)).toEqual([`660 ${A}`, `? ${B}`, `60 ${C}`]);
  });
  test('lines that do not fit the header lose nothing', () => {
    expect(read(`code,amount\n${A},${B},${C}\n60 UC\n${A}`)).toEqual([
      `? ${A}`,
      `? ${B}`,
      `? ${C}`,
      `60 ${A}`,
    ]);
    expect(read(`Codes, please:\n${A}, ${B}`)).toEqual([`? ${A}`, `? ${B}`]);
    expect(read(`amount,item,code\n60,${A}`)).toEqual([`60 ${A}`]);
    expect(read(`codes, amount\n${A}, ${B}`)).toEqual([`? ${A}`, `? ${B}`]);
  });
  test('a row that begins with its amount holds for itself, and is no heading', () => {
    const kinds = [...readPaste([message(`325 ${A} ${B}\n${C}`)], game, {})].map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind !== 'pause')).toEqual(['code', 'code', 'code']);
    expect(read(`60 UC\n325 UC ${A} ${B}\n${C}`)).toEqual([`325 ${A}`, `325 ${B}`, `? ${C}`]);
    expect(read(`60 UC\n77 UC ${A} ${B}\n${C}`)).toEqual([`? ${A}`, `? ${B}`, `? ${C}`]);
    expect(read(`60 UC\n77 UC ${A}\n${B}`)).toEqual([`? ${A}`, `60 ${B}`]);
  });
  test('columns end with their text', () => {
    expect(read([file(`serial,code\n${A},${B}`), file(`${A},${B}`)])).toEqual([`? ${B}`, `? ${A}`, `? ${B}`]);
  });
});

describe('pieces', () => {
  const filler = `60 UC\n${`${A}\n`.repeat(250)}`;
  test('headings hold from message to message, a file begins anew', () => {
    const pieces = [message('60 UC'), message(A), file(`${B}\n325 UC\n${C}`), message(B)];
    expect(read(pieces, 660)).toEqual([`60 ${A}`, `660 ${B}`, `325 ${C}`, `60 ${B}`]);
  });
  test('a blank dropped at the cut does not glue two codes together', () => {
    expect(read([message(filler + B), message(`${C}\n${A}`)]).slice(250)).toEqual([
      `60 ${B}`,
      `60 ${C}`,
      `60 ${A}`,
    ]);
    expect(read([message(filler + B), message(`325 UC\n${A}`)]).slice(250)).toEqual([`60 ${B}`, `325 ${A}`]);
    expect(read([message(`${filler}325 UC`), message(`${B}\n${A}`)]).slice(250)).toEqual([
      `325 ${B}`,
      `325 ${A}`,
    ]);
  });
  test('a row of a table cut at its blank stays a row', () => {
    const rows = `${A}\t60\n`.repeat(220);
    expect(read([message(rows + B), message(`325\n${C}\t60`)]).slice(220)).toEqual([`325 ${B}`, `60 ${C}`]);
  });
  test('short messages are joined only where that makes a code', () => {
    expect(read([message(`${A} ${B.slice(0, 9)}`), message(`${B.slice(9)} ${C}`)])).toEqual([
      `? ${A}`,
      `? ${B}`,
      `? ${C}`,
    ]);
    expect(read([message(A.slice(0, 12)), message(B)])).toEqual([`? ${A.slice(0, 12)}`, `? ${B}`]);
    expect(read([message('60 UC'), message('ABCDE12345')])).toEqual(['! ABCDE12345']);
    expect(read([message('коды по 660'), message('ABCDE12345')])).toEqual(['! ABCDE12345']);
    expect(read([file(A.slice(0, 9)), file(A.slice(9))])).toEqual(['! AAAA1111b', '! bbb2222']);
    // An amount and a player's ID, two numbers, an amount and what somebody mistyped: none of them is a code.
    expect(read([message('660'), message('5181481223')])).toEqual(['! 5181481223']);
    expect(read([message('51'), message('5181481223')])).toEqual(['! 5181481223', '! 51']);
    expect(read([message('660'), message('ABCDE12345')])).toEqual(['! ABCDE12345']);
    expect(read([message('ABCDE12345'), message('660')])).toEqual(['! ABCDE12345']);
  });
  test('columns hold across a cut', () => {
    const rows = `serial,code,uc\n${`${C},${A},60\n`.repeat(130)}`;
    const whole = `${rows}${C},${B},325`;
    expect(read([message(whole.slice(0, 4_100)), message(whole.slice(4_100))])).toEqual(read(whole));
    expect(read(whole).at(-1)).toBe(`325 ${B}`);
  });
});

describe('files', () => {
  const text = `60 UC\r\n${A}\r\n`;
  const utf16 = Buffer.from(text, 'utf16le');
  test.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${text}`)],
    ['UTF-16 LE', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16 BE', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ['UTF-16 LE without a mark', utf16],
    ['UTF-16 BE without a mark', Buffer.from(utf16).swap16()],
  ])('%s is decoded', (_, bytes) => {
    expect(decodePaste(bytes)).toBe(text);
  });
  test('what is no UTF-8 is windows-1252', () => {
    expect(decodePaste(Uint8Array.of(0x41, 0x96, 0xe9, 0x80))).toBe('A–é€');
    expect(decodePaste(Uint8Array.of(0xfe, 0x41, 0xe9))).toBe('þAé');
    expect(decodePaste(Uint8Array.of(0xff, 0x41, 0xe9))).toBe('ÿAé');
  });
});

test('there is a chance to stop every hundred lines that have nothing, and none beside what has something', () => {
  const kinds = (text: string) => [...readPaste([message(text)], game, {})].map(({ kind }) => kind);
  expect(kinds('hello\n'.repeat(250))).toEqual(['pause', 'pause', 'pause', 'pause']);
  const codes = Array.from({ length: 250 }, (_, index) => `CODE${String(index).padStart(8, '0')}`);
  const read = kinds(`${codes.join('\n')}\n${'hello\n'.repeat(99)}`);
  expect(read.filter((kind) => kind !== 'pause')).toEqual(Array(250).fill('code'));
});
