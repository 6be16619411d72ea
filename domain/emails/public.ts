export { LOCAL_DOMAIN } from './address/local-domain.ts'
export { isSenderKept, marketingReplyTo, marketingSender, owedSender } from './address/sender.ts'
export { usableSenders } from './address/usable.ts'
export type { MailTexts } from './composing/compose.ts'
export { problemsOnSaving } from './composing/saving.ts'
export { valuesFor } from './composing/values.ts'
export { beginMailing, domainOf, type NewMailing } from './mailing/begin.ts'
export type { WantedFetch } from './mailing/engagement.ts'
export { type DeliveryRecord, delivery, type MailingRecord, mailing } from './mailing/model.ts'
export { mailingIdOf, type Outcome } from './mailing/outcomes.ts'
export { causeOfStep, STEP } from './mailing/purpose.ts'
export { returnIn } from './mailing/reports.ts'
export { mailings } from './mailing/rules.ts'
export { addressOf } from './mailing/sent-to.ts'
export type { OwedAbout } from './owed/begin.ts'
export { boughtLines } from './owed/bought-lines.ts'
export { isNoticeKind, isOwedKind, isStandardKind, type Locale, localeIn, type NoticeKind } from './owed/kinds.ts'
export { moneyIn } from './owed/money.ts'
export { type BeginNotice, type Notice, type NoticeAbout, noticeOf } from './owed/notices.ts'
export type { NoticeReader, Telling, TellingDeps, Withheld } from './owed/telling.ts'
export { undeliveredMails } from './owed/undelivered.ts'
export { owedValues } from './owed/values.ts'
export { footerOf } from './settings/footer.ts'
export { businessName, isAddressComplete, settingsOf } from './settings/view.ts'
export {
  mailNumbers,
  performanceSchema,
  ratesOf,
  repeatedSends,
  revenueFields,
  revenueOf,
  shared,
} from './statistics/performance.ts'
export { templates } from './template/rules.ts'
export { topic } from './topic/model.ts'
