import type { Core } from '../../checkout-port.ts'
import { wait } from '../calls.ts'
import type { BankAnswer, FollowDeps } from '../follow.ts'
import { openDialog, type Question } from './dialog.ts'

/** How often it is asked whether the bank has been answered elsewhere. */
const ASK_EVERY = 2500

/**
 * Asks the buyer while their bank waits. The dialog closes by itself when the charge no longer waits (`unanswered`), since the bank may have been
 * answered in an app or a window of its own, and with `approved` when `accepted` resolves.
 */
export const askBuyer = async (
  core: Pick<Core, 'host' | 'signal'>,
  question: Question,
  ask: FollowDeps['ask'],
  accepted?: Promise<unknown>,
): Promise<BankAnswer> => {
  const dialog = openDialog(core.host.document, core.signal, question)
  accepted?.then(
    () => dialog.close('approved'),
    () => undefined,
  )
  let isOpen = true
  void dialog.answer.then(() => {
    isOpen = false
  })
  const watch = async () => {
    while (isOpen) {
      await wait(core.host, ASK_EVERY)
      const answer = isOpen ? await ask() : undefined
      if (answer?.ok && answer.status !== 'action') dialog.close('unanswered')
    }
  }
  void watch()
  return dialog.answer
}
