import { type Language, wordsFor as languageFor } from '../../mail/words.ts'
import type { AppWords } from '../../page-app/refusals.ts'
import { EN } from './en.ts'
import { JA } from './ja.ts'
import { PT } from './pt.ts'

export type { Language } from '../../mail/words.ts'

/** Texts of the members' side. What is in braces is filled in. */
export interface MemberWords extends AppWords {
  readonly skip: string
  readonly menu: string
  readonly home: string
  readonly courses: string
  readonly communities: string
  readonly orders: string
  readonly mail: string
  readonly signOut: string
  readonly signedInAs: string
  readonly byLink: string
  readonly refused: AppWords['refused'] & { readonly tooMany: string }
  readonly signIn: {
    readonly title: string
    readonly text: string
    readonly address: string
    readonly button: string
    readonly isNoAddress: string
    readonly sentTitle: string
    readonly sent: string
    readonly again: string
  }
  readonly enter: {
    readonly title: string
    readonly text: string
    readonly instead: string
    readonly button: string
    readonly invalidTitle: string
    readonly invalid: string
  }
  readonly signedOut: { readonly title: string; readonly text: string }
  readonly welcome: { readonly title: string; readonly none: string }
  readonly course: {
    readonly video: string
    readonly none: string
    readonly progress: string
    readonly completed: string
    readonly contents: string
    readonly noLessons: string
    readonly suspended: string
    readonly ended: string
    readonly opensAt: string
    readonly afterLesson: string
    readonly afterSection: string
    readonly notIncluded: string
    readonly upgrade: string
    readonly lessonDone: string
    readonly complete: string
    readonly undo: string
    readonly undone: string
    readonly previous: string
    readonly next: string
    readonly back: string
    readonly locked: string
    readonly signInToComplete: string
  }
  readonly order: {
    readonly none: string
    readonly newest: string
    readonly older: string
    readonly title: string
    readonly date: string
    readonly total: string
    readonly status: string
    readonly item: string
    readonly quantity: string
    readonly amount: string
    readonly paid: string
    readonly unpaid: string
    readonly refunded: string
    readonly partlyRefunded: string
    readonly downloads: string
    readonly noAccess: string
    readonly subscription: string
    readonly active: string
    readonly trialing: string
    readonly paused: string
    readonly endsOn: string
    readonly over: string
    readonly cancel: string
    readonly cancelTitle: string
    readonly cancelText: string
    readonly cancelNow: string
    readonly cancelAtShop: string
    readonly cancelButton: string
    readonly keep: string
    readonly back: string
  }
}

const WORDS: Readonly<Record<Language, MemberWords>> = { en: EN, ja: JA, pt: PT }

/** Returns the texts in the language that a browser prefers, by its `Accept-Language`. */
export const wordsFor = (accepted: (languages: string[]) => string | false) => {
  const { language } = languageFor(accepted)
  return { language, words: WORDS[language] }
}
