import { describe, expect, test } from 'vitest';

import { formatText, formatTyped, isInvisible } from './entities.ts';
import { blotSpoilers, renderHtml } from './render.ts';

const html = (source: string) => formatText(source, 'HTML', undefined);

/** What each entity covers, as `type:words`. */
function covered({ text, entities }: ReturnType<typeof html>): string[] {
  return entities.map((one) => `${one.type}:${text.slice(one.offset, one.offset + one.length)}`);
}

describe('HTML as Telegram reads it', () => {
  test.each([
    ['<b>a</b><strong>b</strong>', ['bold:ab']],
    ['<i>a</i> <em>b</em> <u>c</u> <ins>d</ins>', ['italic:a', 'italic:b', 'underline:c', 'underline:d']],
    ['<s>a</s> <strike>b</strike> <del>c</del>', ['strikethrough:a', 'strikethrough:b', 'strikethrough:c']],
    ['<tg-spoiler>a</tg-spoiler> <span class="tg-spoiler">b</span>', ['spoiler:a', 'spoiler:b']],
    ['<code>a</code> <pre>b</pre>', ['code:a', 'pre:b']],
    [
      '<blockquote>a</blockquote>\n<blockquote expandable>b</blockquote>',
      ['blockquote:a', 'expandable_blockquote:b'],
    ],
    ['<a href="https://example.com/?a=1&amp;b=2">a</a>', ['text_link:a']],
    ['<a href="nonsense">a</a>', []],
    ['<B>a</B>', ['bold:a']],
    ['<b></b>a', []],
    ['🙂<b>🙂a</b>', ['bold:🙂a']],
    ['  <b> a</b> \n', ['bold:a']],
  ])('%s', (source, expected) => {
    expect(covered(html(source))).toEqual(expected);
  });

  test('knows four named escapes and numbers; any other ampersand stays', () => {
    expect(html('&lt;&gt;&amp;&quot;&#39;&#x41;&nbsp;&copy; a & b').text).toBe('<>&"\'A&nbsp;&copy; a & b');
  });

  test.each([
    ['<b>a', 'Can\'t find end tag corresponding to start tag "b"'],
    ['a < b', 'Unsupported start tag "" at byte offset 2'],
    ['я<h1>a</h1>', 'Unsupported start tag "h1" at byte offset 2'],
    ['a</b>', 'Unexpected end tag at byte offset 1'],
    ['<b>a</i>', 'Unmatched end tag at byte offset 4, expected "</b>", found "</i>"'],
    ['<b', 'Unclosed start tag at byte offset 0'],
    ['<b>a</b', 'Unclosed end tag at byte offset 4'],
    ['<span>a</span>', 'Tag "span" must have class "tg-spoiler" at byte offset 0'],
    ['<a href=>a</a>', 'Unexpected end of name token at byte offset 8'],
    ['<a href="x>a</a>', 'Unclosed start tag at byte offset 0'],
  ])('refuses %s', (source, complaint) => {
    expect(() => html(source)).toThrow(`Bad Request: can't parse entities: ${complaint}`);
  });

  test('a language is of a block, never of code in a line', () => {
    expect(html('<pre><code class="language-sql">a</code></pre>').entities).toEqual([
      { type: 'pre', offset: 0, length: 1, language: 'sql' },
    ]);
    expect(html('<code class="language-sql">a</code>').entities).toEqual([
      { type: 'code', offset: 0, length: 1 },
    ]);
  });

  test('text of any person, once escaped, arrives as it was written', () => {
    const hostile = '<b>&amp;</b> "quoted" \u200f\u2066name\u2069 </code> &lt; 🙂';
    const escaped = hostile.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
    expect(html(`<b>${escaped}</b>`).text).toBe(hostile);
  });
});

describe('entities that meet', () => {
  test('a spoiler around code is dropped: the words are shown in the clear', () => {
    const formatted = html('<tg-spoiler><code>secret</code></tg-spoiler>');
    expect(covered(formatted)).toEqual(['code:secret']);
    expect(blotSpoilers(formatted.text, formatted.entities)).toBe('secret');
    expect(covered(html('<code><tg-spoiler>secret</tg-spoiler></code>'))).toEqual(['code:secret']);
    expect(covered(html('<tg-spoiler><pre>secret</pre></tg-spoiler>'))).toEqual(['pre:secret']);
  });

  test('a spoiler that is wider than the code in it hides only the rest', () => {
    const formatted = html('<tg-spoiler>login <code>secret</code> end</tg-spoiler>');
    expect(covered(formatted)).toEqual(['spoiler:login ', 'code:secret', 'spoiler: end']);
    expect(blotSpoilers(formatted.text, formatted.entities)).toBe('▒▒▒▒▒▒secret▒▒▒▒');
  });

  test('a spoiler without code stays', () => {
    const formatted = html('<b>a <tg-spoiler>secret</tg-spoiler></b>');
    expect(covered(formatted)).toEqual(['bold:a secret', 'spoiler:secret']);
    expect(blotSpoilers(formatted.text, formatted.entities)).toBe('a ▒▒▒▒▒▒');
  });

  test('of a link and code at one place the code stays, of a link around code the link', () => {
    expect(covered(html('<a href="https://example.com"><code>a</code></a>'))).toEqual(['code:a']);
    expect(covered(html('<a href="https://example.com">b <code>a</code></a>'))).toEqual(['text_link:b a']);
  });

  test('commands in a message of the bot can be tapped, unless they stand in code', () => {
    expect(covered(html('see /receipt_12 or <code>/receipt_13</code>'))).toEqual([
      'bot_command:/receipt_12',
      'code:/receipt_13',
    ]);
  });
});

describe('too many entities', () => {
  const spoilers = (count: number) => html('<tg-spoiler>a</tg-spoiler> '.repeat(count));

  test('beyond the hundredth are dropped without a word: what a spoiler hid is shown', () => {
    const { text, entities } = spoilers(101);
    expect(entities).toHaveLength(100);
    expect(blotSpoilers(text, entities).endsWith('▒ a')).toBe(true);
    expect(blotSpoilers(...(Object.values(spoilers(100)) as [string, never]))).not.toContain('a');
  });

  test('a bot’s own come first, what Telegram finds has the places that are left', () => {
    const { text, entities } = html('/stock <b>a</b> '.repeat(60));
    expect(entities).toHaveLength(100);
    expect(entities.filter((one) => one.type === 'bold')).toHaveLength(60);
    expect(text.slice(entities[0]!.offset, entities[0]!.length)).toBe('/stock');
  });

  test('and long ones are refused by their size', () => {
    const link = (length: number) => `<a href="https://example.org/${'a'.repeat(length)}">b</a> `;
    expect(html(link(90).repeat(70)).entities).toHaveLength(70);
    expect(() => html(link(120).repeat(70))).toThrow('ENTITIES_TOO_LONG');
  });
});

test('a source of more than 32,768 bytes is refused, however short the text in it', () => {
  const tagged = (count: number) => `a${'<b></b>'.repeat(count)}`;
  expect(html(tagged(4_681)).text).toBe('a');
  expect(() => html(tagged(4_682))).toThrow('Bad Request: text is too long');
});

describe('what a person types', () => {
  test('commands, names and links are found where Telegram finds them', () => {
    expect(
      covered(formatTyped('/start@some_bot x /a1 a/b </c> 1/2 @someone https://example.com/a.')),
    ).toEqual([
      'bot_command:/start@some_bot',
      'bot_command:/a1',
      'mention:@someone',
      'url:https://example.com/a',
    ]);
  });

  test('line and direction marks are dropped, control characters become blanks, isolation marks stay', () => {
    expect(formatTyped('a\u202eb\u2028c\r\nd\te\u2066f\u2069').text).toBe('abc\nd e\u2066f\u2069');
  });

  test('a text of nothing but invisible characters is empty', () => {
    expect(isInvisible(' \n\u200b\u200e\u2060\u2800\ufeff\u3164')).toBe(true);
    expect(isInvisible('\u200ba')).toBe(false);
  });
});

test('a rendering is HTML that a page may take, whatever was typed', () => {
  const { text, entities } = html('<b>&lt;img&gt; <i>x</i></b> <tg-spoiler>"y"</tg-spoiler>');
  expect(renderHtml(text, entities)).toBe(
    '<b>&lt;img&gt; <i>x</i></b> <tg-spoiler>&quot;y&quot;</tg-spoiler>',
  );
});
