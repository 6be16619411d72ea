import { ConfigError, type Settings } from '../settings.ts'
import type { ModelSettings } from './audience-model.ts'

/** Reads which language model translates descriptions of audiences; `undefined`: none. @throws {ConfigError} */
export const modelSettingsIn = (settings: Settings): ModelSettings | undefined => {
  const { MILLRACE_MODEL_URL: url, MILLRACE_MODEL: model, MILLRACE_MODEL_KEY: key } = settings
  if (!url) return undefined
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new ConfigError(
      `MILLRACE_MODEL_URL must be a http or https address such as http://localhost:11434/v1, not '${url}'`,
    )
  }
  if (!model) throw new ConfigError('MILLRACE_MODEL must name a model when MILLRACE_MODEL_URL is given')
  return { url, model, key: key || undefined }
}
