// Every promise, by its name: each tells what breaks it, and nothing while it holds. To add one: a file, and a line
// here.
import type { World } from '../run/world.ts';
import {
  aRedemptionIsRedeemedByOneSpentAttempt,
  noAttemptIsCalledUnspentThatSpentItsCode,
  whatWasSentHasAnEnd,
} from './attempts.ts';
import { codesAndUsagesAreConserved, whatIsSealedOpensInItsPlaceAlone } from './conserved.ts';
import { everyCodeIsFiledAsItWasPasted } from './filed.ts';
import { onePersonHasOneImportOpen } from './one-import.ts';
import { everyRedemptionWasOrderedByItsActor, nobodyDoesWhatTheyMayNot } from './rights.ts';
import {
  noCodeIsHandedOutTwice,
  whatIsHandedOutIsSpentByNoLostPast,
  theOwnerHearsOfWhatReachesNoChat,
  whatIsTakenOutInAChatIsThere,
} from './handed-out.ts';
import { keysKeepTheirWord } from './keys.ts';
import {
  everyPaymentIsCredited,
  noPaymentIsCreditedTwice,
  starsGoBackToWhoeverPaid,
  whatIsBookedAsGivenBackIsBack,
  whatALostPastWasPaidIsKnown,
} from './money.ts';
import {
  everyOldButtonIsToldOrRefused,
  everyOrderIsToldOrRefused,
  everyPasteIsAnswered,
  everyQuestionIsAnswered,
  everyTapIsAnswered,
  whatATapIsNotToldIsSaid,
} from './heard.ts';
import { everyRedemptionIsTold } from './told.ts';
import { memoryIsBackToRest } from './memory.ts';
import { nothingIsSaidToTheWrongPerson } from './secrets.ts';
import { nothingUnexpectedIsLogged } from './logged.ts';
import {
  nobodyFoundAnythingAmiss,
  nothingIsLeftThatNothingCutOff,
  whatIsBroughtAboutIsMet,
  whatIsShownIsWhatTheBooksSay,
} from './amiss.ts';
import {
  everyCodeLiesWhereItBelongs,
  everyOutcomeCostsWhatItSays,
  everyOutcomeIsWhatThePlatformSaid,
  whatIsSpentIsNotCalledMalformed,
} from './outcomes.ts';
import { noDayHasMoreThanItsActivations } from './quota.ts';
import { oneConfirmationIsOneExtraction, oneOrderIsOneRedemption } from './ordered.ts';
import { noNumberOfAReceiptIsGivenTwice, whatIsToldOfARedemptionIsTrue } from './truth.ts';
import {
  everybodyIsWhatTheirOwnerSaid,
  everyShopHasAnOwner,
  whatAnOwnerWasToldOfTheirStaffIsSo,
} from './staff.ts';
import { whatIsToldOfABatchIsTrue } from './batches.ts';
import {
  everyMessageIsSignedAndTellsNoSecret,
  everySettledRedemptionIsToldByWebhook,
  webhooksTellTheTruthToTheirOwn,
  whatIsUsedOfADayIsToldOnceByWebhook,
} from './webhooks.ts';
import { everyAddressIsOwedWhatItAskedFor } from './webhooks-owed.ts';
import { nobodyIsToldOfAFaultOfOurs, nobodyIsToldToTryAgainForAStop } from './apology.ts';
import { paidDaysAreKept } from './subscriptions.ts';
import { noCodeOfAStockIsTriedThatIsSpent } from './ledger.ts';
import {
  aRefusedCodeStepsBack,
  theLastCodesAreTakenOut,
  theOldestCodeGoesFirst,
  whatWasBoughtIsUsedLast,
} from './order.ts';
import { theEndOfASubscriptionIsTold, theEndOfASubscriptionIsToldThreeDaysBefore } from './ends-told.ts';
import {
  noPlayerIsLookedUpWithoutASubscription,
  nothingIsRedeemedWithoutASubscription,
  ofAStockIsTakenWhatWasOrdered,
} from './stock-keys.ts';
import { nobodyGetsNoticesTheyDoNotWant } from './mutes.ts';
import { noBatchIsUndoneLate, noConfirmationIsTakenLate } from './late.ts';
import {
  lowStockIsToldAndArmedAgain,
  whatIsUsedOfADayIsToldOnce,
  whoeverUsedMostOfADayIsTold,
} from './thresholds.ts';
import { aSubscriptionIsWhatWasPaidFor } from './paid-days.ts';
import { everybodyPaysForTheirOwn } from './payers.ts';
import { aLoginThatWasHiddenComes, aReceiptIsWhatThePlatformToldOfIt } from './receipts.ts';
import { aKeyIsFreeAfterAFailureThatCostNothing } from './same-key.ts';
import { operatorsAreShownTheirOwnReceipts } from './own-receipts.ts';
import { everybodyIsSpokenToInTheirLanguage } from './languages.ts';
import { aListBeginsWithTheNewest } from './lists.ts';
import { whatToldNothingCostsNothing } from './look-ups.ts';
import { whoeverIsGivenARoleIsTold } from './told-staff.ts';
import {
  noCodeOnTheShelfIsSpent,
  noCodeThatABackupKnewIsTakenForUnspent,
  nothingIsSentTwice,
  notRedeemedIsNotRedeemed,
  whatIsRedeemedIsSpentByUs,
  whatIsSpentIsInTheBooks,
  whatIsSpentIsNeverCalledFailed,
  whatIsSpentIsRedeemed,
} from './ledger.ts';
import { aFileHoldsWhatStandsUnderIt, loginsAreExportedByOwnersAlone } from './files.ts';
import { severalAreRedeemedOneAfterAnother, whatABackupCaughtUnderWayIsNotGoneOnWith } from './several.ts';
import { theEndOfADoubtIsTold, whatIsToldOfADoubtIsTrue } from './doubts.ts';
import { aSecondRequestEndsAsTheFirst } from './duplicate-requests.ts';
import { everyNoticeReachesWhoItIsFor, noSubscriptionIsCalledOver } from './notices.ts';
import { aDoubtThatIsShownIsShownToItsEnd } from './shown-doubts.ts';
import { whatARestorePutInQuestionIsAskedAbout, whatLeftTheStockStaysAway } from './aside.ts';
import { noAddressIsSwitchedOffTooSoon } from './switched-off.ts';
import { nothingIsSaidInAClosedChat } from './closed-chats.ts';
import { everyNoticeOfACrowdIsSaid, whatAClosedChatIsOwedIsSaid } from './owed.ts';
import { oneChatIsAnsweredInOrder } from './in-order.ts';
import { noUpdateIsSetAsideTooSoon } from './set-aside.ts';
import { nothingOfWhatAGroupTalksAboutIsKept } from './group-talk.ts';
import {
  noOrderHasTwoCodesAfterATakeover,
  noOrderIsSwallowedByATakeover,
  whatALostTimeHandedOutHasOneOwner,
  whoeverAsksAgainGetsWhatWasCarriedOut,
} from './takeovers.ts';
import {
  eachHostAlertIsToldOnceAndOnceWhenOver,
  everyHostAlertIsSaidToTheHost,
  everyTroubleOfTheHostIsTold,
  noHostIsToldOfAnythingInAQuietWorld,
  noHostIsToldOfATroubleWithoutACause,
} from './host-alerts.ts';
import { nothingIsShownAsUnderWayThatHasEnded } from './under-way.ts';

import { anOrderIsWhatWasSpentForIt } from './invoices.ts';
import {
  aLinkIsOneOrderAndAReceiptACode,
  aLinkSpendsForWhomSomebodyHasConfirmed,
  aRevokedLinkStaysRevoked,
  noLinkIsRedeemedTwice,
  theStockKeepsWhatOpenLinksAreFor,
} from './links.ts';
import { noOrderWaitsForEver, theEndOfAnOrderIsToldByWebhook } from './orders-end.ts';
import { fiveRefusalsPauseADenomination } from './pauses.ts';
import {
  everyActIsWrittenDown,
  everyInvitationAndPauseIsWrittenDown,
  everyRoleIsWrittenDown,
  whatIsWrittenDownStands,
} from './written-down.ts';
import { theOwnerHearsOfEachAddressThatAProgramRegisters } from './registered.ts';

export type Promised = (world: World) => string[];

export const PROMISES = {
  codesAndUsagesAreConserved,
  whatIsSealedOpensInItsPlaceAlone,
  whatIsSpentIsRedeemed,
  whatIsSpentIsInTheBooks,
  whatIsSpentIsNeverCalledFailed,
  whatIsRedeemedIsSpentByUs,
  nothingIsSentTwice,
  noCodeOnTheShelfIsSpent,
  noCodeThatABackupKnewIsTakenForUnspent,
  notRedeemedIsNotRedeemed,
  everyOutcomeIsWhatThePlatformSaid,
  everyOutcomeCostsWhatItSays,
  everyCodeLiesWhereItBelongs,
  noDayHasMoreThanItsActivations,
  theOldestCodeGoesFirst,
  theLastCodesAreTakenOut,
  aRefusedCodeStepsBack,
  whatWasBoughtIsUsedLast,
  noCodeIsHandedOutTwice,
  whatIsHandedOutIsSpentByNoLostPast,
  noOrderHasTwoCodesAfterATakeover,
  noOrderIsSwallowedByATakeover,
  whoeverAsksAgainGetsWhatWasCarriedOut,
  whatALostTimeHandedOutHasOneOwner,
  everyActIsWrittenDown,
  everyInvitationAndPauseIsWrittenDown,
  everyRoleIsWrittenDown,
  whatIsWrittenDownStands,
  theOwnerHearsOfWhatReachesNoChat,
  whatIsTakenOutInAChatIsThere,
  everyCodeIsFiledAsItWasPasted,
  onePersonHasOneImportOpen,
  nobodyDoesWhatTheyMayNot,
  everybodyIsWhatTheirOwnerSaid,
  whatAnOwnerWasToldOfTheirStaffIsSo,
  everyShopHasAnOwner,
  whatIsToldOfABatchIsTrue,
  everyRedemptionWasOrderedByItsActor,
  everyPaymentIsCredited,
  noPaymentIsCreditedTwice,
  starsGoBackToWhoeverPaid,
  whatIsBookedAsGivenBackIsBack,
  whatALostPastWasPaidIsKnown,
  paidDaysAreKept,
  noCodeOfAStockIsTriedThatIsSpent,
  keysKeepTheirWord,
  oneConfirmationIsOneExtraction,
  oneOrderIsOneRedemption,
  whatIsToldOfARedemptionIsTrue,
  noNumberOfAReceiptIsGivenTwice,
  everyMessageIsSignedAndTellsNoSecret,
  whatIsUsedOfADayIsToldOnceByWebhook,
  webhooksTellTheTruthToTheirOwn,
  everySettledRedemptionIsToldByWebhook,
  everyAddressIsOwedWhatItAskedFor,
  everyRedemptionIsTold,
  everyOldButtonIsToldOrRefused,
  everyOrderIsToldOrRefused,
  everyPasteIsAnswered,
  everyQuestionIsAnswered,
  everyTapIsAnswered,
  whatATapIsNotToldIsSaid,
  nothingIsSaidToTheWrongPerson,
  nobodyFoundAnythingAmiss,
  nothingIsLeftThatNothingCutOff,
  whatIsBroughtAboutIsMet,
  whatIsShownIsWhatTheBooksSay,
  nobodyIsToldOfAFaultOfOurs,
  nobodyIsToldToTryAgainForAStop,
  nothingUnexpectedIsLogged,
  memoryIsBackToRest,
  ofAStockIsTakenWhatWasOrdered,
  nothingIsRedeemedWithoutASubscription,
  noPlayerIsLookedUpWithoutASubscription,
  noConfirmationIsTakenLate,
  noBatchIsUndoneLate,
  lowStockIsToldAndArmedAgain,
  whatIsUsedOfADayIsToldOnce,
  whoeverUsedMostOfADayIsTold,
  aSubscriptionIsWhatWasPaidFor,
  everybodyPaysForTheirOwn,
  aReceiptIsWhatThePlatformToldOfIt,
  aLoginThatWasHiddenComes,
  aKeyIsFreeAfterAFailureThatCostNothing,
  operatorsAreShownTheirOwnReceipts,
  everybodyIsSpokenToInTheirLanguage,
  aListBeginsWithTheNewest,
  whoeverIsGivenARoleIsTold,
  whatToldNothingCostsNothing,
  nobodyGetsNoticesTheyDoNotWant,
  whatIsSpentIsNotCalledMalformed,
  aFileHoldsWhatStandsUnderIt,
  loginsAreExportedByOwnersAlone,
  severalAreRedeemedOneAfterAnother,
  whatABackupCaughtUnderWayIsNotGoneOnWith,
  whatIsToldOfADoubtIsTrue,
  theEndOfADoubtIsTold,
  aSecondRequestEndsAsTheFirst,
  everyNoticeReachesWhoItIsFor,
  noSubscriptionIsCalledOver,
  theEndOfASubscriptionIsTold,
  theEndOfASubscriptionIsToldThreeDaysBefore,
  aDoubtThatIsShownIsShownToItsEnd,
  whatLeftTheStockStaysAway,
  whatARestorePutInQuestionIsAskedAbout,
  noUpdateIsSetAsideTooSoon,
  noAddressIsSwitchedOffTooSoon,
  nothingIsSaidInAClosedChat,
  nothingIsShownAsUnderWayThatHasEnded,
  oneChatIsAnsweredInOrder,
  whatAClosedChatIsOwedIsSaid,
  everyNoticeOfACrowdIsSaid,
  everyTroubleOfTheHostIsTold,
  eachHostAlertIsToldOnceAndOnceWhenOver,
  noHostIsToldOfAnythingInAQuietWorld,
  noHostIsToldOfATroubleWithoutACause,
  everyHostAlertIsSaidToTheHost,
  fiveRefusalsPauseADenomination,
  nothingOfWhatAGroupTalksAboutIsKept,
  theOwnerHearsOfEachAddressThatAProgramRegisters,
  noAttemptIsCalledUnspentThatSpentItsCode,
  whatWasSentHasAnEnd,
  aRedemptionIsRedeemedByOneSpentAttempt,
  anOrderIsWhatWasSpentForIt,
  noOrderWaitsForEver,
  theEndOfAnOrderIsToldByWebhook,
  aLinkIsOneOrderAndAReceiptACode,
  aLinkSpendsForWhomSomebodyHasConfirmed,
  aRevokedLinkStaysRevoked,
  noLinkIsRedeemedTwice,
  theStockKeepsWhatOpenLinksAreFor,
} satisfies Readonly<Record<string, Promised>>;

export type PromiseName = keyof typeof PROMISES;

/** What a fault may suspend by one name. */
const GROUPS = {
  /** Whoever relies on it relies on all that was before. */
  ofOnePast: [
    'whatIsSpentIsInTheBooks',
    'noCodeOnTheShelfIsSpent',
    'notRedeemedIsNotRedeemed',
    'whatIsWrittenDownStands',
    'whatIsTakenOutInAChatIsThere',
    'theOwnerHearsOfWhatReachesNoChat',
    'everybodyIsWhatTheirOwnerSaid',
    'whatAnOwnerWasToldOfTheirStaffIsSo',
    'whatIsToldOfABatchIsTrue',
    'noOrderWaitsForEver',
    'everyPaymentIsCredited',
    'paidDaysAreKept',
    'whatIsToldOfARedemptionIsTrue',
    'webhooksTellTheTruthToTheirOwn',
    'whatIsUsedOfADayIsToldOnceByWebhook',
    'everyOrderIsToldOrRefused',
    'everyOldButtonIsToldOrRefused',
    'everyQuestionIsAnswered',
    'everyPasteIsAnswered',
    'everyTapIsAnswered',
    'whatATapIsNotToldIsSaid',
    'nothingIsLeftThatNothingCutOff',
    'nothingIsRedeemedWithoutASubscription',
    'whatIsUsedOfADayIsToldOnce',
    'whoeverUsedMostOfADayIsTold',
    'whoeverIsGivenARoleIsTold',
    'whatToldNothingCostsNothing',
    'whatIsToldOfADoubtIsTrue',
    'theEndOfADoubtIsTold',
    'everyNoticeReachesWhoItIsFor',
    'theEndOfASubscriptionIsTold',
    'theEndOfASubscriptionIsToldThreeDaysBefore',
    'aDoubtThatIsShownIsShownToItsEnd',
    'whatLeftTheStockStaysAway',
    'noUpdateIsSetAsideTooSoon',
    'noAddressIsSwitchedOffTooSoon',
    'nothingIsShownAsUnderWayThatHasEnded',
    'whatAClosedChatIsOwedIsSaid',
    'everyNoticeOfACrowdIsSaid',
    'everyTroubleOfTheHostIsTold',
    'eachHostAlertIsToldOnceAndOnceWhenOver',
    'everyHostAlertIsSaidToTheHost',
    'fiveRefusalsPauseADenomination',
    'theOwnerHearsOfEachAddressThatAProgramRegisters',
  ],
  /** They go by the calendar of the machine, or of the platform. */
  byTheCalendar: [
    'theOldestCodeGoesFirst',
    'theLastCodesAreTakenOut',
    'aRefusedCodeStepsBack',
    'theOwnerHearsOfWhatReachesNoChat',
    'whatIsToldOfABatchIsTrue',
    'whatALostPastWasPaidIsKnown',
    'whatIsUsedOfADayIsToldOnceByWebhook',
    'everySettledRedemptionIsToldByWebhook',
    'everyAddressIsOwedWhatItAskedFor',
    'everyTapIsAnswered',
    'everyOldButtonIsToldOrRefused',
    'nobodyFoundAnythingAmiss',
    'nothingIsLeftThatNothingCutOff',
    'nothingIsRedeemedWithoutASubscription',
    'noPlayerIsLookedUpWithoutASubscription',
    'noConfirmationIsTakenLate',
    'noBatchIsUndoneLate',
    'whatIsUsedOfADayIsToldOnce',
    'whoeverUsedMostOfADayIsTold',
    'whatToldNothingCostsNothing',
    'severalAreRedeemedOneAfterAnother',
    'theEndOfADoubtIsTold',
    'aSecondRequestEndsAsTheFirst',
    'everyNoticeReachesWhoItIsFor',
    'theEndOfASubscriptionIsTold',
    'theEndOfASubscriptionIsToldThreeDaysBefore',
    'whatARestorePutInQuestionIsAskedAbout',
    'noUpdateIsSetAsideTooSoon',
    'noAddressIsSwitchedOffTooSoon',
    'whatAClosedChatIsOwedIsSaid',
    'everyNoticeOfACrowdIsSaid',
    'noHostIsToldOfATroubleWithoutACause',
    'everyHostAlertIsSaidToTheHost',
    'fiveRefusalsPauseADenomination',
    'theOwnerHearsOfEachAddressThatAProgramRegisters',
    'noOrderWaitsForEver',
    'theEndOfAnOrderIsToldByWebhook',
  ],
  /** Nothing comes between what is asked and its answer. */
  atOnce: ['everyTapIsAnswered', 'everyOldButtonIsToldOrRefused', 'nothingIsLeftThatNothingCutOff'],
  /** What can be written is. */
  onDisk: [
    'nobodyIsToldOfAFaultOfOurs',
    'nothingUnexpectedIsLogged',
    'whatToldNothingCostsNothing',
    'noUpdateIsSetAsideTooSoon',
    'nothingIsShownAsUnderWayThatHasEnded',
    'noHostIsToldOfATroubleWithoutACause',
  ],
} as const satisfies Readonly<Record<string, readonly PromiseName[]>>;

export type Suspended = PromiseName | keyof typeof GROUPS;

/** Those that nothing of this suspends. */
export function listHeldBeside(suspended: readonly Suspended[]): [PromiseName, Promised][] {
  const groups: Readonly<Record<string, readonly PromiseName[]>> = GROUPS;
  const names = new Set(suspended.flatMap((name) => groups[name] ?? [name as PromiseName]));
  return (Object.entries(PROMISES) as [PromiseName, Promised][]).filter(([name]) => !names.has(name));
}
