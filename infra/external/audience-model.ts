import type { AudienceTranslator } from '../../domain/kernel/ports/external-services.ts'
import type { JsonObject } from '../../domain/kernel/values/event.ts'
import { type Refusal, refuse } from '../../domain/kernel/values/refusal.ts'

/** A language model behind an OpenAI-compatible endpoint. */
export interface ModelSettings {
  /** Address below which `/chat/completions` is served. */
  readonly url: string
  readonly model: string
  readonly key: string | undefined
}

const TIMEOUT_MS = 20_000
/** More than any filter needs. A longer answer is cut off and counts as too large. */
const MAX_TOKENS = 2000

const INSTRUCTIONS = `Translate the description of an audience into the filter of contacts that means exactly that.
Answer with one JSON object: {"conjunction": "and" | "or", "criteria": [{"attribute", "clause", "value"}]}.
Use only the attributes and clauses listed. Name tags by their id. Dates are YYYY-MM-DD; btwn and nbtwn take two of them.
gt, lt and exct of dates take {"days": "30", "modifier": "ago" | "from_now"}; lt 30 days ago means within the last 30 days.
st and nst (is set, is not set) take no value. If any part of the description cannot be expressed, answer {"criteria": []}.`

const unavailable = (): Refusal => refuse.unavailable('Transient service issue: Please try again shortly.')
const noFilter = (): Refusal => refuse.invalid('No filter could be made of the text', 'text', 'invalid')
const tooLarge = (): Refusal =>
  refuse.invalid('The request is too large to translate into a contact filter.', 'text', 'too_large')

interface Completion {
  readonly choices?: readonly {
    readonly finish_reason?: string
    readonly message?: { readonly content?: string | null }
  }[]
}

const filterIn = (completion: Completion): JsonObject | Refusal => {
  const [choice] = completion.choices ?? []
  if (choice?.finish_reason === 'length') return tooLarge()
  try {
    const parsed: unknown = JSON.parse(choice?.message?.content ?? '')
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as JsonObject) : noFilter()
  } catch {
    return noFilter()
  }
}

/** Asks a model for filters. The caller checks the result, like any other input from outside. */
export const audienceModel = ({ url, model, key }: ModelSettings): AudienceTranslator => ({
  async translate(text, vocabulary) {
    const body = {
      model,
      temperature: 0,
      max_tokens: MAX_TOKENS,
      response_format: { type: 'json_object' },
      messages: [
        { role: 'system', content: `${INSTRUCTIONS}\n${JSON.stringify(vocabulary)}` },
        { role: 'user', content: text },
      ],
    }
    const headers = { 'content-type': 'application/json', ...(key !== undefined && { authorization: `Bearer ${key}` }) }
    try {
      const response = await fetch(`${url.replace(/\/+$/, '')}/chat/completions`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      if (response.status === 413) return tooLarge()
      return response.ok ? filterIn((await response.json()) as Completion) : unavailable()
    } catch {
      return unavailable()
    }
  },
})
