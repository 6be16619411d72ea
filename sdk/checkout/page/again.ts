import type { Core } from '../../checkout-port.ts'
import type { BankAnswer } from '../follow.ts'
import { openDialog } from './dialog.ts'

/** Asks a buyer who has just bought the same, as in another tab, whether they want it once more. @param text what the server knows of */
export const askAgain = ({ host, signal }: Pick<Core, 'host' | 'signal'>, text: string): Promise<BankAnswer> =>
  openDialog(host.document, signal, {
    title: 'Buy it again?',
    text: `${text}. It is not charged again unless you say so.`,
    accept: 'Buy it again',
    cancel: 'Do not buy',
  }).answer
