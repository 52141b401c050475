// Names of hosts, asked of a name server on this machine.
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { createLookUp, lookUpHere, type LookUp } from './look-up.ts';

const ANSWERS = { none: 0, unknown: 3, refused: 5 } as const;
type Answer = keyof typeof ANSWERS | readonly number[];
const V4 = [93, 184, 215, 14];
const V6 = [0x26, 0x06, 0x28, 0x00, 0x02, 0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x14];

let server: Socket;
let lookUp: LookUp;
let v4: Answer;
let v6: Answer;

beforeEach(async () => {
  [v4, v6] = ['none', 'none'];
  server = createSocket('udp4', (query, { port }) => {
    const name = query.subarray(12, query.indexOf(0, 12) + 5);
    const type = name.readUInt16BE(name.length - 4);
    server.send(answer(query, name, type === 28 ? v6 : v4), port);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  lookUp = createLookUp([`127.0.0.1:${server.address().port}`]);
});
afterEach(async () => {
  server.close();
  await once(server, 'close');
});

/** RFC 1035, 4.1: the header, the question again, and where there is one an address of that name. */
function answer(query: Buffer, question: Buffer, said: Answer): Buffer {
  const data = typeof said === 'string' ? [] : said;
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(0x8180 | (typeof said === 'string' ? ANSWERS[said] : 0), 2);
  header.fill(0, 6);
  header.writeUInt16BE(data.length > 0 ? 1 : 0, 6);
  if (data.length === 0) return Buffer.concat([header, question]);
  const typeAndClass = question.subarray(-4);
  const lifeAndLength = [0, 0, 0, 60, 0, data.length];
  return Buffer.concat([
    header,
    question,
    Buffer.from([0xc0, 12]),
    typeAndClass,
    Buffer.from([...lifeAndLength, ...data]),
  ]);
}

test('a name has the addresses of both families', async () => {
  [v4, v6] = [V4, V6];
  expect(await lookUp('shop.example')).toEqual([
    { address: '93.184.215.14', family: 4 },
    { address: '2606:2800:220::14', family: 6 },
  ]);
});

test.each<[Answer, Answer]>([
  ['unknown', 'unknown'],
  ['none', 'none'],
])('a name that nobody has is no failure: %s', async (...said) => {
  [v4, v6] = said;
  expect(await lookUp('shop.example')).toEqual([]);
});

test('one family is enough, whatever became of the other', async () => {
  [v4, v6] = [V4, 'none'];
  expect(await lookUp('shop.example')).toEqual([{ address: '93.184.215.14', family: 4 }]);
  [v4, v6] = ['refused', V6];
  expect(await lookUp('shop.example')).toEqual([{ address: '2606:2800:220::14', family: 6 }]);
});

test.each<[Answer, Answer]>([
  ['refused', 'refused'],
  ['refused', 'none'],
  ['unknown', 'refused'],
])('a name that nobody could be asked of is a failure: %s, %s', async (...said) => {
  [v4, v6] = said;
  await expect(lookUp('shop.example')).rejects.toThrow('EREFUSED');
});

test('for trying, this machine knows itself by its name', async () => {
  const found = await lookUpHere('localhost');
  expect(found.length).toBeGreaterThan(0);
  for (const { address, family } of found) expect(address).toBe(family === 4 ? '127.0.0.1' : '::1');
});
