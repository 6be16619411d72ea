import { AddressUnusable, compose, type Letter, type Recipient } from '../../domain/emails/composing/compose.ts'
import { LiquidFailed } from '../../domain/emails/liquid/render.ts'
import type { ComposedMail } from '../../domain/kernel/ports/mail-transport.ts'
import { answer } from '../sqlite/thread.ts'
import { mailLinks } from './links.ts'

/** Mails of one letter. Without recipients nothing is asked but whether the thread works. */
export interface Batch {
  readonly letter: Letter
  readonly recipients: readonly Recipient[]
  /** Origin of the public listener. */
  readonly origin: string
}

export type Composed =
  | { readonly mail: ComposedMail }
  | { readonly failed: 'rendering' | 'address' | 'internal'; readonly message: string }

export interface ComposerData {
  /** Key that signs the links of mails. */
  readonly key: Uint8Array
}

const failureOf = (error: unknown): Composed => {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof AddressUnusable) return { failed: 'address', message }
  return { failed: error instanceof LiquidFailed ? 'rendering' : 'internal', message }
}

answer<ComposerData, Batch>(({ key }) => ({
  answer({ letter, recipients, origin }: Batch): readonly Composed[] {
    const links = mailLinks({ derive: () => key }, () => origin)
    return recipients.map((recipient) => {
      try {
        return { mail: compose(letter, recipient, links) }
      } catch (error) {
        return failureOf(error)
      }
    })
  },
  close() {},
}))
