// Which documents are read as lists of codes: by their name, and where they have none by their kind.
import { expect, test } from 'vitest';

import { isListFile } from './collect-codes.ts';

const SHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

test.each<[document: { file_name?: string; mime_type?: string }, isList: boolean]>([
  [{ file_name: 'codes.TXT' }, true],
  [{ file_name: 'codes.csv' }, true],
  [{ file_name: 'codes.XLSX' }, true],
  [{ file_name: 'codes.xlsm' }, true],
  [{ file_name: 'codes.xls' }, false],
  [{ file_name: 'codes.txt.exe', mime_type: 'text/plain' }, false],
  [{ file_name: 'txt', mime_type: 'text/csv' }, false],
  [{ mime_type: 'text/plain' }, true],
  [{ mime_type: 'text/csv' }, true],
  [{ mime_type: SHEET }, true],
  [{ mime_type: 'application/pdf' }, false],
  [{}, false],
])('%j is a list: %s', (document, isList) =>
  expect(isListFile({ file_id: 'f', file_unique_id: 'u', ...document })).toBe(isList),
);
