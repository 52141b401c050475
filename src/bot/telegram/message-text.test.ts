// Whatever form a message comes in, its text is where the readers of texts look for it.
import type { Update } from 'grammy/types';
import { expect, test } from 'vitest';

import { withText } from './message-text.ts';

const [A, B] = ['K7QZ2MXB9TRW4HNE', 'P3LS8VCD6GYF1JKU'];
const read = (message: object) => {
  const { message: found } = withText({ update_id: 1, message } as unknown as Update);
  return found?.text ?? found?.caption;
};

test('of a rich message: its blocks in lines, cells apart by tabs', () => {
  const blocks = [
    { type: 'heading', size: 2, text: '60 UC' },
    { type: 'paragraph', text: [{ type: 'bold', text: A }, ' ', { type: 'strikethrough', text: 'old' }] },
    { type: 'table', cells: [[{ text: '325 UC' }, { text: B }]] },
    { type: 'blockquote', blocks: [{ type: 'paragraph', text: 'said' }], credit: 'Max' },
    { type: 'list', items: [{ label: '1.', blocks: [{ type: 'paragraph', text: A }] }] },
    { type: 'details', summary: 'more', blocks: [{ type: 'pre', text: B }] },
  ];
  expect(read({ rich_message: { blocks } })).toBe(
    `60 UC\n${A} ~~old~~\n325 UC\t${B}\nsaid\nMax\n1. ${A}\nmore\n${B}`,
  );
});

test('of lists with boxes: which are ticked', () => {
  const tasks = [
    { id: 1, text: A, completion_date: 1_795_800_000 },
    { id: 2, text: B },
  ];
  expect(read({ checklist: { title: '60 UC', tasks } })).toBe(`60 UC\n☑ ${A}\n☐ ${B}`);
  const item = (text: string, more: object) => ({
    label: '',
    has_checkbox: true,
    blocks: [{ type: 'paragraph', text }],
    ...more,
  });
  const blocks = [{ type: 'list', items: [item(A, { is_checked: true }), item(B, {})] }];
  expect(read({ rich_message: { blocks } })).toBe(`☑ ${A}\n☐ ${B}`);
});

test('what is struck through says so, in texts and captions, and other entities keep their words', () => {
  const text = `60 UC\n${A}\n${B}`;
  const struck = { type: 'strikethrough', offset: 6, length: 16 };
  expect(read({ text, entities: [struck] })).toBe(`60 UC\n~~${A}~~\n${B}`);
  expect(read({ caption: text, caption_entities: [struck] })).toBe(`60 UC\n~~${A}~~\n${B}`);
  const message = {
    text,
    entities: [{ type: 'bold', offset: 0, length: 5 }, struck, { type: 'code', offset: 23, length: 16 }],
  };
  const { message: found } = withText({ update_id: 1, message } as unknown as Update);
  expect(
    found?.entities?.map(({ type, offset, length }) => [type, found.text?.slice(offset, offset + length)]),
  ).toEqual([
    ['bold', '60 UC'],
    ['code', B],
  ]);
});

test('what is plain, or no message, stays as it is', () => {
  expect(read({ text: A, entities: [{ type: 'bold', offset: 0, length: 3 }] })).toBe(A);
  expect(read({ photo: [] })).toBeUndefined();
  const update = { update_id: 1, callback_query: { id: '1' } } as unknown as Update;
  expect(withText(update)).toBe(update);
});
