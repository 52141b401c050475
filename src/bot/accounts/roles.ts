// Roles as the chat speaks of them: which ones a member may give, and which one a typed word names.
import { grantOf, ROLES, type GivenRole, type MemberActor } from '../../core/index.ts';
import { LANGUAGES, type Texts } from '../texts.ts';

const GIVEN: readonly GivenRole[] = ROLES.filter((role): role is GivenRole => role !== 'owner');

/** The roles that this member may give, change and take. */
export function rolesToGive(actor: MemberActor): GivenRole[] {
  return GIVEN.filter((role) => grantOf(actor, role === 'admin' ? 'manageAdmins' : 'manageStaff') === 'yes');
}

/** The role that a word names, by its name or in any of our languages; ownership is no role to be given. */
export function findGivenRole(texts: Texts, word: string): GivenRole | undefined {
  const typed = word.toLowerCase();
  return GIVEN.find(
    (role) =>
      role === typed ||
      LANGUAGES.some((language) => texts.label(language, `role-${role}`).toLowerCase() === typed),
  );
}
