import { interactionPolicy } from 'oidc-provider'

const { Check, Prompt } = interactionPolicy

/** What people are asked: always on the page of this server, which knows what may pass without a click. */
const asked = new Check('decision', 'the person has not decided yet', 'consent_required', (ctx) =>
  ctx.oidc.result?.consent ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
)

/** Prompts that a request may name. All lead to the same page. */
export const PROMPTS = [
  new Prompt({ name: 'login', requestable: true }),
  new Prompt({ name: 'select_account', requestable: true }),
  new Prompt({ name: 'consent', requestable: true }, asked),
]
