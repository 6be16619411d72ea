import { AddressUnusable, compose, type Letter, type Recipient } from '../../domain/emails/composing/compose.ts'
import { problemsIn } from '../../domain/emails/composing/trial.ts'
import { LiquidFailed, mailLiquid } from '../../domain/emails/liquid/render.ts'
import type { AuthoredMail, TextProblem, TextToRender } from '../../domain/kernel/ports/authored-texts.ts'
import type { ComposedMail } from '../../domain/kernel/ports/mail-transport.ts'
import { answer } from '../sqlite/thread.ts'
import { marksOf } from '../vault/marks.ts'
import { encodedParts } from './encoded.ts'
import { mailLinks } from './links.ts'

/** Mails of one letter. */
export interface Batch {
  readonly letter: Letter
  readonly recipients: readonly Recipient[]
  /** Origin of the public listener. */
  readonly origin: string
}

export type Question = Batch | { readonly draft: AuthoredMail } | { readonly text: TextToRender }

export type Composed =
  | { readonly mail: ComposedMail }
  | { readonly failed: 'rendering' | 'address' | 'internal'; readonly message: string }

export type Answer =
  | { readonly mails: readonly Composed[] }
  | { readonly problems: readonly TextProblem[] }
  /** `undefined`: it cannot be rendered with these values. */
  | { readonly rendered: string | undefined }

export interface ComposerData {
  /** Key that signs the links of mails. */
  readonly key: Uint8Array
}

const failureOf = (error: unknown): Composed => {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof AddressUnusable) return { failed: 'address', message }
  return { failed: error instanceof LiquidFailed ? 'rendering' : 'internal', message }
}

const composeAll = ({ letter, recipients, origin }: Batch, key: Uint8Array): readonly Composed[] => {
  const links = mailLinks({ marks: (_purpose, _nonce, bytes) => marksOf(key, bytes) }, () => origin)
  return recipients.map((recipient) => {
    try {
      const mail = compose(letter, recipient, links)
      return { mail: { ...mail, encoded: encodedParts(mail) } }
    } catch (error) {
      return failureOf(error)
    }
  })
}

const render = ({ text, ...setting }: TextToRender): string | undefined => {
  try {
    return mailLiquid(setting).plain(text)
  } catch (error) {
    if (error instanceof LiquidFailed) return undefined
    throw error
  }
}

answer<ComposerData, Question>(({ key }) => ({
  answer(question): Answer {
    if ('draft' in question) return { problems: problemsIn(question.draft) }
    return 'text' in question ? { rendered: render(question.text) } : { mails: composeAll(question, key) }
  },
  close() {},
}))
