import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { filled } from '../../html/filled.ts'
import { FORM_TOKEN, isFormToken } from '../../html/forms.ts'
import { type Html, html } from '../../html/html.ts'
import { leadingTo } from '../../page-app/leading-on.ts'
import { expiredPage } from '../../page-app/refusals.ts'
import { finishSignIn } from '../finish.ts'
import type { AccountPage, AccountRequest, Answer, Route } from '../request.ts'
import { SECURITY_WORDS } from '../security/words.ts'
import { field } from '../shell.ts'
import { credentialsOf, formTokenOf, SIGN_IN } from '../signed-in.ts'
import { wishedOf, wishedPath } from '../wished.ts'
import { WORDS } from '../words.ts'
import { pendingOf, RECOVERY_STEP, SECOND_STEP } from './pending.ts'
import { tryFactor } from './try-factor.ts'

const { secondStep: words } = SECURITY_WORDS

/** Form of the second step: for a code of the app, or for a recovery code. */
interface Step {
  readonly path: string
  readonly kind: 'code' | 'recovery'
  readonly title: string
  readonly text: string
  readonly field: (problem: string | undefined) => Html
  /** Where those go who have the other one. */
  readonly other: { readonly path: string; readonly says: string }
  readonly wrong: string
}

const BY_CODE: Step = {
  ...{ path: SECOND_STEP, kind: 'code', title: words.title, text: words.text, wrong: SECURITY_WORDS.wrongCode },
  field: (problem) =>
    field({
      ...{ name: 'code', label: SECURITY_WORDS.code, type: 'text', inputmode: 'numeric', problem },
      ...{ autocomplete: 'one-time-code', hint: SECURITY_WORDS.codeHint },
    }),
  other: { path: RECOVERY_STEP, says: words.lost },
}

const BY_RECOVERY_CODE: Step = {
  ...{ path: RECOVERY_STEP, kind: 'recovery', title: words.recoveryTitle, text: words.recoveryText },
  ...{ wrong: words.wrongRecovery, other: { path: SECOND_STEP, says: words.useApp } },
  field: (problem) => field({ name: 'code', label: words.recoveryCode, type: 'text', autocomplete: 'off', problem }),
}

interface Shown {
  readonly proof: string
  readonly email: string
  readonly to: string | undefined
  readonly problem?: string
}

const page = ({ service }: AccountRequest, step: Step, { proof, email, to, problem }: Shown): AccountPage => ({
  ...(problem !== undefined && { status: 422 }),
  title: step.title,
  body: html`<p>${filled(step.text, { address: email })}</p>
<form method="post" action="${step.path}"><input type="hidden" name="${FORM_TOKEN}" value="${formTokenOf(service, proof)}">
${to !== undefined && html`<input type="hidden" name="to" value="${to}">`}
${step.field(problem)}
<p><button>${words.button}</button></p></form>
<ul class="plain"><li><a href="${leadingTo(step.other.path, to)}">${step.other.says}</a></li>
<li><a href="${leadingTo(SIGN_IN, to)}">${words.startAgain}</a></li></ul>`,
})

const emailOf = async ({ service }: AccountRequest, userId: number): Promise<string> =>
  String((await service.everywhere.get('user', userId))?.email ?? '')

const show =
  (step: Step) =>
  async (request: AccountRequest): Promise<Answer> => {
    const to = wishedOf(request)
    const pending = pendingOf(request.ctx, request.service)
    if (!pending) return { to: leadingTo(SIGN_IN, to) }
    return page(request, step, { proof: pending.proof, email: await emailOf(request, pending.userId), to })
  }

/** Signs in by a code, after a password or a link. What was shown before all had to end counts no more. */
const take =
  (step: Step) =>
  async (request: AccountRequest, sent: URLSearchParams): Promise<Answer> => {
    const { ctx, service } = request
    const to = wishedPath(sent.get('to'))
    const pending = pendingOf(ctx, service)
    const held = pending && (await credentialsOf(service, pending.userId))
    if (!held || held.generation !== pending.generation) return { to: leadingTo(SIGN_IN, to) }
    const { proof, link } = pending
    if (!isFormToken(sent.get(FORM_TOKEN), formTokenOf(service, proof))) return expiredPage(WORDS)
    const { factor, succeed } = await tryFactor(request, held, { kind: step.kind, text: sent.get('code') })
    const again = async (problem: string) =>
      page(request, step, { proof, email: await emailOf(request, held.id), to, problem })
    if (!factor) return again(step.wrong)
    const finished = await finishSignIn(request, { held, number: link, to: to ?? null, factor })
    if (!(finished instanceof Refusal)) {
      succeed()
      return finished
    }
    const isOfCode = finished.details.some(({ field: of }) => of === 'code')
    // Otherwise the link was used, or everything has ended meanwhile.
    return isOfCode
      ? again(step.kind === 'code' ? SECURITY_WORDS.spentCode : step.wrong)
      : { to: leadingTo(SIGN_IN, to) }
  }

/** Pages of the second step of a sign-in. */
export const secondStepRoutes: readonly Route[] = [BY_CODE, BY_RECOVERY_CODE].map((step) => ({
  ...{ path: new RegExp(`^${step.path}$`), audience: 'everybody', isOnce: true, show: show(step), take: take(step) },
}))
