import { decider } from '../../kernel/decide/decider.ts'
import { rules } from '../../kernel/decide/rules.ts'
import { mailSettings } from './model.ts'

/** Decider of the settings of a workspace's mail. */
export const mailSettingsDecider = decider(mailSettings, { rules: rules(mailSettings, {}) })
