// Who is a member, carried over a restore. A membership is known by its person, its account and the moment of joining. Whoever
// left or was removed in either past is out, and comes back by an invitation alone; of two decisions about a role the later
// holds, and of two accounts that one person went to the one he joined last.
import { columnsOf, isIn, to, type Carrying } from './carrying.ts';

/** Carries members. Needs accounts recognised and carried. */
export function carryMembers(carrying: Carrying): void {
  const { connection } = carrying;
  const columns = columnsOf(connection, 'members').join(', ');
  connection.exec(`
    drop table if exists temp.people;
    create temp table people as select ${columns}, 0 as is_replaced from fresh.members where false;`);
  if (carrying.descends) listPeople(carrying, 'main', 'true');
  else joinPeople(carrying);
  connection.exec(`
    delete from fresh.members;
    insert into fresh.members (${columns}) select ${columns} from temp.people;`);
}

const SAME = `n.telegram_id = o.telegram_id and n.joined_at = o.joined_at and o.account_id = ${to('accounts', 'n.account_id')}`;

/** Two pasts that both went on. Whom one of them does not have, although it knows the time when he came, left there. */
function joinPeople(carrying: Carrying): void {
  const { knownToBackup, knownToReplaced } = carrying;
  listPeople(
    carrying,
    'main',
    `not ${isIn('n.joined_at', knownToBackup, 'before the end')} or exists (select 1 from fresh.members o where ${SAME})`,
  );
  listPeople(
    carrying,
    'fresh',
    `not ${isIn('o.joined_at', knownToReplaced)} or exists (select 1 from main.members n where ${SAME})`,
  );
  carrying.connection.exec(`
    delete from temp.people where rowid not in (select rowid from (
      select rowid, row_number() over (partition by telegram_id order by joined_at desc, role_at desc, is_replaced desc) as turn
      from temp.people) where turn = 1)`);
  settleOwners(carrying);
}

function listPeople({ connection }: Carrying, side: 'main' | 'fresh', where: string): void {
  const row = side === 'main' ? 'n' : 'o';
  const columns = columnsOf(connection, 'members');
  const account = side === 'main' ? to('accounts', 'n.account_id') : 'o.account_id';
  const selected = columns.map((column) => (column === 'account_id' ? account : `${row}.${column}`));
  connection.exec(`insert into temp.people (${columns.join(', ')}, is_replaced)
    select ${selected.join(', ')}, ${side === 'main' ? 1 : 0} from ${side}.members ${row} where ${where}`);
}

// Both pasts may have handed an account over, or one removed whom the other made the owner. Nobody owns what he never owned:
// where no owner is left the host invites one.
function settleOwners({ connection, now }: Carrying): void {
  connection.exec(`
    update temp.people set role = 'admin', role_at = ${now} where rowid in (
      select rowid from (select rowid, row_number() over (partition by account_id order by role_at desc, is_replaced desc) as turn
        from temp.people where role = 'owner') where turn > 1);
    update temp.people set role = 'owner', role_at = ${now} where rowid in (
      select rowid from (
        select p.rowid, row_number() over (partition by p.account_id order by n.role = 'owner' desc) as turn
        from temp.people p
          left join main.members n on n.telegram_id = p.telegram_id and ${to('accounts', 'n.account_id')} = p.account_id
          left join fresh.members o on o.telegram_id = p.telegram_id and o.account_id = p.account_id
        where (n.role = 'owner' or o.role = 'owner')
          and p.account_id not in (select account_id from temp.people where role = 'owner')) where turn = 1);`);
}
